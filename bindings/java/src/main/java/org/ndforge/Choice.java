package org.ndforge;

/** A value of an argument that is one of several choices: the enums of {@link org.ndforge.op} are such. */
public interface Choice {
  /**
   * What the library calls it.
   *
   * @return the name, such as "same"
   */
  String label();
}
