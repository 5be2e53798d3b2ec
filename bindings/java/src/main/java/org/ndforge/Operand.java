package org.ndforge;

/** What operations take: an array, or a value of a graph that has no elements yet. */
public sealed interface Operand permits NDArray, Symbol {}
