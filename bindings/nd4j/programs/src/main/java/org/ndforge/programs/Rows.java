package org.ndforge.programs;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;

import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The rows that a program writes: {@code name<TAB>value}, in a file of their own because native code prints to the
 * standard output as well. Before each row a line {@code > name} says what runs, so that the row at which a process died
 * is known. A row depends on no other one: a second process continues after it.
 */
public final class Rows implements AutoCloseable {
  /** A process ends itself with this code when a row hangs. */
  private static final int HANGS = 77;
  /** How many elements of an array a row shows; of longer ones it also has sums. */
  private static final int SHOWN = 256;

  private final PrintStream out;
  private final String only;
  private String after;
  private volatile long seconds = 120;
  private volatile long begun = System.nanoTime();

  /** The file, and the name of the row after which to begin ("" for all). */
  public Rows(Path file, String after, String only) throws IOException {
    out = new PrintStream(Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND), true,
        StandardCharsets.UTF_8);
    this.after = after;
    this.only = only;
    Thread watch = new Thread(() -> {
      try {
        while (System.nanoTime() - begun < seconds * 1_000_000_000L) Thread.sleep(500);
      } catch (InterruptedException ended) {
        return;
      }
      Runtime.getRuntime().halt(HANGS);
    });
    watch.setDaemon(true);
    watch.start();
  }

  /** How long a row may take: 120 seconds unless the program says otherwise. */
  public void limit(long seconds) {
    this.seconds = seconds;
  }

  /** Computes and writes a row. A map gives a row for each of its entries; an exception is a value as well. */
  public void row(String name, Callable<?> value) {
    begun = System.nanoTime();
    if (!after.isEmpty()) {
      if (after.equals(name)) after = "";
      return;
    }
    if (!name.contains(only)) return;
    out.println("> " + name);
    Nd4j.getRandom().setSeed(7);
    try {
      write(name, value.call());
    } catch (Throwable error) {
      out.println(name + "\t" + describe(error));
    }
  }

  /** What a wrong call says: its class and message, with the messages of its causes. */
  public static String describe(Throwable error) {
    while (error instanceof InvocationTargetException && error.getCause() != null) error = error.getCause();
    StringBuilder text = new StringBuilder("! " + error.getClass().getSimpleName() + ": " + oneLine(error.getMessage()));
    for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause())
      text.append(" <- ").append(cause.getClass().getSimpleName()).append(": ").append(oneLine(cause.getMessage()));
    return text.toString();
  }

  @Override
  public void close() {
    out.println("> end");
    out.close();
  }

  private void write(String name, Object value) {
    if (!(value instanceof Map)) {
      out.println(name + "\t" + text(value));
      return;
    }
    for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) write(name + "/" + entry.getKey(), entry.getValue());
  }

  private static String oneLine(String text) {
    return text == null ? "null" : text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "");
  }

  static String text(Object value) {
    if (value == null) return "null";
    if (value instanceof INDArray) return array((INDArray) value);
    if (value instanceof Float) return "FLOAT [] " + value;
    if (value instanceof Double) return "NUMBER [] " + value;  // as exact as the floats that it comes from
    if (value instanceof double[]) return array(Nd4j.createFromArray((double[]) value));
    if (value instanceof float[]) return array(Nd4j.createFromArray((float[]) value));
    if (value instanceof long[]) return Arrays.toString((long[]) value);
    if (value instanceof int[]) return Arrays.toString((int[]) value);
    if (value instanceof Object[]) value = Arrays.asList((Object[]) value);
    if (value instanceof Collection) {
      StringJoiner all = new StringJoiner(" | ");
      for (Iterator<?> each = ((Collection<?>) value).iterator(); each.hasNext();) all.add(text(each.next()));
      return all.toString();
    }
    return oneLine(value.toString());
  }

  private static String array(INDArray array) {
    StringBuilder text = new StringBuilder(array.dataType() + " " + Arrays.toString(array.shape()));
    if (array.isEmpty()) return text + " empty";
    long length = array.length();
    DataType type = array.dataType();
    // getDouble(i) counts in the order of the array; rows show elements in 'c' order whatever the layout is.
    if (type != DataType.UTF8 && array.ordering() != 'c') array = array.dup('c');
    double sum = 0, squares = 0, weighted = 0;
    for (long i = 0; i < length; ++i) {
      if (type == DataType.UTF8) {
        text.append(" \"").append(oneLine(array.getString(i))).append('"');
        continue;
      }
      if (type.isFPType()) {
        double element = array.getDouble(i);
        if (i < SHOWN) text.append(' ').append(type == DataType.DOUBLE ? Double.toString(element)
            : Float.toString((float) element));
        sum += element;
        squares += element * element;
        weighted += element * (i % 17 + 1);
      } else {
        long element = array.getLong(i);
        if (i < SHOWN) text.append(' ').append(element);
        sum += element;
        squares += (double) element * element;
        weighted += (double) element * (i % 17 + 1);
      }
    }
    if (length > SHOWN) text.append(" sums ").append(sum).append(' ').append(squares).append(' ').append(weighted);
    return text.toString();
  }
}
