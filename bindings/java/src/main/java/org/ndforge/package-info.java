/**
 * Arrays, operations and graphs of NDForge.
 *
 * <p>{@link org.ndforge.NDArray} is an array, {@link org.ndforge.Ops} has a method for each operation, {@link
 * org.ndforge.Graph} runs and trains graphs. What the library refuses is an {@link org.ndforge.NDForgeException}.
 */
package org.ndforge;
