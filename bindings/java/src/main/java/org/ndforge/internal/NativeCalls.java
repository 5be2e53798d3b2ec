package org.ndforge.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.ndforge.internal.Native.failed;
import static org.ndforge.internal.Native.procedure;
import static org.ndforge.internal.Native.returning;
import static org.ndforge.internal.Native.shortCall;

import java.lang.invoke.MethodHandle;

/** Functions of the C interface for lists of operations, contexts, and calls, with their C names: see {@link Native}. */
public final class NativeCalls {
  private NativeCalls() {}

  private static final MethodHandle GET_ALL_OPERATIONS = returning(JAVA_LONG, "getAllOperations");

  /** The C function of this name. */
  public static long getAllOperations() {
    try {
      return (long) GET_ALL_OPERATIONS.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_ALL_CUSTOM_OPS = returning(JAVA_LONG, "getAllCustomOps");

  /** The C function of this name. */
  public static long getAllCustomOps() {
    try {
      return (long) GET_ALL_CUSTOM_OPS.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DESCRIBE_OPERATION = returning(JAVA_LONG, "describeOperation", JAVA_LONG);

  /** The C function of this name. */
  public static long describeOperation(long a) {
    try {
      return (long) DESCRIBE_OPERATION.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle OP_HASH = returning(JAVA_LONG, "opHash", JAVA_LONG);

  /** The C function of this name. */
  public static long opHash(long a) {
    try {
      return (long) OP_HASH.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LOAD_OP_LIBRARY = returning(JAVA_INT, "loadOpLibrary", JAVA_LONG);

  /** The C function of this name. */
  public static int loadOpLibrary(long a) {
    try {
      return (int) LOAD_OP_LIBRARY.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle CREATE_GRAPH_CONTEXT = returning(JAVA_LONG, "createGraphContext", JAVA_INT);

  /** The C function of this name. */
  public static long createGraphContext(int a) {
    try {
      return (long) CREATE_GRAPH_CONTEXT.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_GRAPH_CONTEXT = procedure("deleteGraphContext", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteGraphContext(long a) {
    try {
      DELETE_GRAPH_CONTEXT.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_GRAPH_CONTEXT_RANDOM_GENERATOR =
      shortCall(JAVA_LONG, "getGraphContextRandomGenerator", JAVA_LONG);

  /** The C function of this name. */
  public static long getGraphContextRandomGenerator(long a) {
    try {
      return (long) GET_GRAPH_CONTEXT_RANDOM_GENERATOR.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_RANDOM_GENERATOR_STATES =
      procedure("setRandomGeneratorStates", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static void setRandomGeneratorStates(long a, long b, long c) {
    try {
      SET_RANDOM_GENERATOR_STATES.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_INPUT_BUFFER =
      procedure("setGraphContextInputBuffer", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static void setGraphContextInputBuffer(long a, int b, long c, long d, long e) {
    try {
      SET_GRAPH_CONTEXT_INPUT_BUFFER.invokeExact(a, b, c, d, e);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_OUTPUT_BUFFER =
      procedure("setGraphContextOutputBuffer", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static void setGraphContextOutputBuffer(long a, int b, long c, long d, long e) {
    try {
      SET_GRAPH_CONTEXT_OUTPUT_BUFFER.invokeExact(a, b, c, d, e);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_ARGUMENT_INTEGERS =
      procedure("setGraphContextArgumentIntegers", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static void setGraphContextArgumentIntegers(long a, long b, long c, int d) {
    try {
      SET_GRAPH_CONTEXT_ARGUMENT_INTEGERS.invokeExact(a, b, c, d);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_ARGUMENT_NUMBERS =
      procedure("setGraphContextArgumentNumbers", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static void setGraphContextArgumentNumbers(long a, long b, long c, int d) {
    try {
      SET_GRAPH_CONTEXT_ARGUMENT_NUMBERS.invokeExact(a, b, c, d);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_ARGUMENT_FLAGS =
      procedure("setGraphContextArgumentFlags", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static void setGraphContextArgumentFlags(long a, long b, long c, int d) {
    try {
      SET_GRAPH_CONTEXT_ARGUMENT_FLAGS.invokeExact(a, b, c, d);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_ARGUMENT_TYPES =
      procedure("setGraphContextArgumentTypes", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static void setGraphContextArgumentTypes(long a, long b, long c, int d) {
    try {
      SET_GRAPH_CONTEXT_ARGUMENT_TYPES.invokeExact(a, b, c, d);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_ARGUMENT_CHOICE =
      procedure("setGraphContextArgumentChoice", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static void setGraphContextArgumentChoice(long a, long b, long c) {
    try {
      SET_GRAPH_CONTEXT_ARGUMENT_CHOICE.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_T_ARGUMENTS =
      procedure("setGraphContextTArguments", JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static void setGraphContextTArguments(long a, long b, int c) {
    try {
      SET_GRAPH_CONTEXT_T_ARGUMENTS.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_I_ARGUMENTS =
      procedure("setGraphContextIArguments", JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static void setGraphContextIArguments(long a, long b, int c) {
    try {
      SET_GRAPH_CONTEXT_I_ARGUMENTS.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_B_ARGUMENTS =
      procedure("setGraphContextBArguments", JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static void setGraphContextBArguments(long a, long b, int c) {
    try {
      SET_GRAPH_CONTEXT_B_ARGUMENTS.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_GRAPH_CONTEXT_D_ARGUMENTS =
      procedure("setGraphContextDArguments", JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static void setGraphContextDArguments(long a, long b, int c) {
    try {
      SET_GRAPH_CONTEXT_D_ARGUMENTS.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle CLEAR_GRAPH_CONTEXT_ARGUMENTS = procedure("clearGraphContextArguments", JAVA_LONG);

  /** The C function of this name. */
  public static void clearGraphContextArguments(long a) {
    try {
      CLEAR_GRAPH_CONTEXT_ARGUMENTS.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle CTX_PURGE = procedure("ctxPurge", JAVA_LONG);

  /** The C function of this name. */
  public static void ctxPurge(long a) {
    try {
      CTX_PURGE.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle EXEC_CUSTOM_OP2 =
      returning(JAVA_INT, "execCustomOp2", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static int execCustomOp2(long a, long b, long c) {
    try {
      return (int) EXEC_CUSTOM_OP2.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle EXEC_PAIRWISE_TRANSFORM =
      procedure("execPairwiseTransform", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static void execPairwiseTransform(long a, int b, long c, long d, long e, long f, long g, long h, long i,
      long j, long k, long l) {
    try {
      EXEC_PAIRWISE_TRANSFORM.invokeExact(a, b, c, d, e, f, g, h, i, j, k, l);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle EXEC_SCALAR =
      procedure("execScalar", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static void execScalar(long a, int b, long c, long d, long e, long f, long g, long h, long i, long j, long k,
      long l) {
    try {
      EXEC_SCALAR.invokeExact(a, b, c, d, e, f, g, h, i, j, k, l);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_GRAPH_CONTEXT_OUTPUT_COUNT =
      shortCall(JAVA_INT, "getGraphContextOutputCount", JAVA_LONG);

  /** The C function of this name. */
  public static int getGraphContextOutputCount(long a) {
    try {
      return (int) GET_GRAPH_CONTEXT_OUTPUT_COUNT.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_GRAPH_CONTEXT_OUTPUT =
      returning(JAVA_LONG, "getGraphContextOutput", JAVA_LONG, JAVA_INT, JAVA_LONG);

  /** The C function of this name. */
  public static long getGraphContextOutput(long a, int b, long c) {
    try {
      return (long) GET_GRAPH_CONTEXT_OUTPUT.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }
}
