package org.ndforge.internal;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * The functions of the C interface that this module calls, with their C names. Pointers are longs: a MemorySegment for
 * each argument would cost more than the shortest of these calls. The handles are constants, so that the compiler
 * inlines the calls. Functions marked short run without a change of the thread's state; they neither block nor call back.
 */
public final class Native {
  private Native() {}

  /** All of the process's memory, for reads and writes at addresses. */
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final SymbolLookup LIBRARY = Library.load();
  private static final Linker LINKER = Linker.nativeLinker();

  private static MethodHandle find(String name, FunctionDescriptor type, Linker.Option... options) {
    MemorySegment function =
        LIBRARY
            .find(name)
            .orElseThrow(
                () ->
                    new UnsatisfiedLinkError(
                        "the library " + Library.path() + " has no function " + name + ": its version does not fit"));
    return LINKER.downcallHandle(function, type, options);
  }

  private static MethodHandle returning(MemoryLayout result, String name, MemoryLayout... arguments) {
    return find(name, FunctionDescriptor.of(result, arguments));
  }

  private static MethodHandle shortCall(MemoryLayout result, String name, MemoryLayout... arguments) {
    return find(name, FunctionDescriptor.of(result, arguments), Linker.Option.critical(false));
  }

  private static MethodHandle procedure(String name, MemoryLayout... arguments) {
    return find(name, FunctionDescriptor.ofVoid(arguments));
  }

  private static RuntimeException failed(Throwable cause) {
    return switch (cause) {
      case RuntimeException exception -> exception;
      case Error error -> throw error;
      default -> new IllegalStateException(cause);
    };
  }

  /** The bytes of a C string, decoded from UTF-8; null for 0. */
  public static String text(long address) {
    if (address == 0) {
      return null;
    }
    return MEMORY.getString(address, StandardCharsets.UTF_8);
  }

  private static final MethodHandle LAST_ERROR_CODE = shortCall(JAVA_INT, "lastErrorCode");

  /** The C function of this name. */
  public static int lastErrorCode() {
    try {
      return (int) LAST_ERROR_CODE.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LAST_ERROR_MESSAGE = shortCall(JAVA_LONG, "lastErrorMessage");

  /** The C function of this name. */
  public static long lastErrorMessage() {
    try {
      return (long) LAST_ERROR_MESSAGE.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LAST_ERROR_IS_MEMORY = shortCall(JAVA_BOOLEAN, "lastErrorIsMemory");

  /** The C function of this name. */
  public static boolean lastErrorIsMemory() {
    try {
      return (boolean) LAST_ERROR_IS_MEMORY.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ALLOCATED_MEMORY = shortCall(JAVA_LONG, "allocatedMemory");

  /** The C function of this name. */
  public static long allocatedMemory() {
    try {
      return (long) ALLOCATED_MEMORY.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle MEMORY_LIMIT = shortCall(JAVA_LONG, "memoryLimit");

  /** The C function of this name. */
  public static long memoryLimit() {
    try {
      return (long) MEMORY_LIMIT.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_MEMORY_LIMIT = procedure("setMemoryLimit", JAVA_LONG);

  /** The C function of this name. */
  public static void setMemoryLimit(long a) {
    try {
      SET_MEMORY_LIMIT.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle INITIALIZE_DEVICES_AND_FUNCTIONS = procedure("initializeDevicesAndFunctions");

  /** The C function of this name. */
  public static void initializeDevicesAndFunctions() {
    try {
      INITIALIZE_DEVICES_AND_FUNCTIONS.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle OMP_GET_MAX_THREADS = returning(JAVA_INT, "ompGetMaxThreads");

  /** The C function of this name. */
  public static int ompGetMaxThreads() {
    try {
      return (int) OMP_GET_MAX_THREADS.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_OMP_NUM_THREADS = procedure("setOmpNumThreads", JAVA_INT);

  /** The C function of this name. */
  public static void setOmpNumThreads(int a) {
    try {
      SET_OMP_NUM_THREADS.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle BINARY_LEVEL = returning(JAVA_INT, "binaryLevel");

  /** The C function of this name. */
  public static int binaryLevel() {
    try {
      return (int) BINARY_LEVEL.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle OPTIMAL_LEVEL = returning(JAVA_INT, "optimalLevel");

  /** The C function of this name. */
  public static int optimalLevel() {
    try {
      return (int) OPTIMAL_LEVEL.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ALLOCATE_DATA_BUFFER =
      returning(JAVA_LONG, "allocateDataBuffer", JAVA_LONG, JAVA_INT, JAVA_BOOLEAN);

  /** The C function of this name. */
  public static long allocateDataBuffer(long a, int b, boolean c) {
    try {
      return (long) ALLOCATE_DATA_BUFFER.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DB_CREATE_EXTERNAL_DATA_BUFFER =
      returning(JAVA_LONG, "dbCreateExternalDataBuffer", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long dbCreateExternalDataBuffer(long a, int b, long c, long d) {
    try {
      return (long) DB_CREATE_EXTERNAL_DATA_BUFFER.invokeExact(a, b, c, d);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DB_CREATE_VIEW =
      returning(JAVA_LONG, "dbCreateView", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long dbCreateView(long a, long b, long c) {
    try {
      return (long) DB_CREATE_VIEW.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DB_PRIMARY_BUFFER = shortCall(JAVA_LONG, "dbPrimaryBuffer", JAVA_LONG);

  /** The C function of this name. */
  public static long dbPrimaryBuffer(long a) {
    try {
      return (long) DB_PRIMARY_BUFFER.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DB_OFFSET = shortCall(JAVA_LONG, "dbOffset", JAVA_LONG);

  /** The C function of this name. */
  public static long dbOffset(long a) {
    try {
      return (long) DB_OFFSET.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_DATA_BUFFER = procedure("deleteDataBuffer", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteDataBuffer(long a) {
    try {
      DELETE_DATA_BUFFER.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SHAPE_BUFFER_EX =
      returning(JAVA_LONG, "shapeBufferEx", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_BYTE, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long shapeBufferEx(int a, long b, long c, int d, byte e, long f, long g) {
    try {
      return (long) SHAPE_BUFFER_EX.invokeExact(a, b, c, d, e, f, g);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_CONSTANT_SHAPE_BUFFER_PRIMARY =
      returning(JAVA_LONG, "getConstantShapeBufferPrimary", JAVA_LONG);

  /** The C function of this name. */
  public static long getConstantShapeBufferPrimary(long a) {
    try {
      return (long) GET_CONSTANT_SHAPE_BUFFER_PRIMARY.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_CONSTANT_SHAPE_BUFFER = procedure("deleteConstantShapeBuffer", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteConstantShapeBuffer(long a) {
    try {
      DELETE_CONSTANT_SHAPE_BUFFER.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SHAPE_INFO_DATA_TYPE = returning(JAVA_INT, "shapeInfoDataType", JAVA_LONG);

  /** The C function of this name. */
  public static int shapeInfoDataType(long a) {
    try {
      return (int) SHAPE_INFO_DATA_TYPE.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

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

  private static final MethodHandle ARRAY_TEXT = returning(JAVA_LONG, "arrayText", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long arrayText(long a, long b, long c) {
    try {
      return (long) ARRAY_TEXT.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ARRAY_STRINGS =
      returning(JAVA_LONG, "arrayStrings", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long arrayStrings(long a, long b, long c) {
    try {
      return (long) ARRAY_STRINGS.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle STRING_ARRAY =
      returning(JAVA_LONG, "stringArray", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

  /** The C function of this name. */
  public static long stringArray(long a, long b, int c, long d) {
    try {
      return (long) STRING_ARRAY.invokeExact(a, b, c, d);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_CHAR_ARRAY = procedure("deleteCharArray", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteCharArray(long a) {
    try {
      DELETE_CHAR_ARRAY.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_LONG_ARRAY = procedure("deleteLongArray", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteLongArray(long a) {
    try {
      DELETE_LONG_ARRAY.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LOAD_ARRAYS = returning(JAVA_LONG, "loadArrays", JAVA_LONG);

  /** The C function of this name. */
  public static long loadArrays(long a) {
    try {
      return (long) LOAD_ARRAYS.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SAVE_ARRAYS =
      returning(JAVA_INT, "saveArrays", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static int saveArrays(long a, long b, long c, long d, int e) {
    try {
      return (int) SAVE_ARRAYS.invokeExact(a, b, c, d, e);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLES_SET_SIZE = returning(JAVA_LONG, "getVariablesSetSize", JAVA_LONG);

  /** The C function of this name. */
  public static long getVariablesSetSize(long a) {
    try {
      return (long) GET_VARIABLES_SET_SIZE.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLE = returning(JAVA_LONG, "getVariable", JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long getVariable(long a, long b) {
    try {
      return (long) GET_VARIABLE.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLE_NAME = returning(JAVA_LONG, "getVariableName", JAVA_LONG);

  /** The C function of this name. */
  public static long getVariableName(long a) {
    try {
      return (long) GET_VARIABLE_NAME.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLE_SHAPE = returning(JAVA_LONG, "getVariableShape", JAVA_LONG);

  /** The C function of this name. */
  public static long getVariableShape(long a) {
    try {
      return (long) GET_VARIABLE_SHAPE.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLE_DATA_BUFFER = returning(JAVA_LONG, "getVariableDataBuffer", JAVA_LONG);

  /** The C function of this name. */
  public static long getVariableDataBuffer(long a) {
    try {
      return (long) GET_VARIABLE_DATA_BUFFER.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_VARIABLES_SET = procedure("deleteVariablesSet", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteVariablesSet(long a) {
    try {
      DELETE_VARIABLES_SET.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle CREATE_MODEL = returning(JAVA_LONG, "createModel");

  /** The C function of this name. */
  public static long createModel() {
    try {
      return (long) CREATE_MODEL.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LOAD_MODEL = returning(JAVA_LONG, "loadModel", JAVA_LONG);

  /** The C function of this name. */
  public static long loadModel(long a) {
    try {
      return (long) LOAD_MODEL.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LOAD_MODEL_FROM_BYTES =
      returning(JAVA_LONG, "loadModelFromBytes", JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long loadModelFromBytes(long a, long b) {
    try {
      return (long) LOAD_MODEL_FROM_BYTES.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SAVE_MODEL = returning(JAVA_INT, "saveModel", JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static int saveModel(long a, long b) {
    try {
      return (int) SAVE_MODEL.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_MODEL = procedure("deleteModel", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteModel(long a) {
    try {
      DELETE_MODEL.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle MODEL_TEXT = returning(JAVA_LONG, "modelText", JAVA_LONG);

  /** The C function of this name. */
  public static long modelText(long a) {
    try {
      return (long) MODEL_TEXT.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ADD_MODEL_PLACEHOLDER =
      returning(JAVA_LONG, "addModelPlaceholder", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);

  /** The C function of this name. */
  public static long addModelPlaceholder(long a, long b, int c, int d, long e) {
    try {
      return (long) ADD_MODEL_PLACEHOLDER.invokeExact(a, b, c, d, e);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ADD_MODEL_ARRAY =
      returning(JAVA_LONG, "addModelArray", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_BOOLEAN);

  /** The C function of this name. */
  public static long addModelArray(long a, long b, long c, long d, boolean e) {
    try {
      return (long) ADD_MODEL_ARRAY.invokeExact(a, b, c, d, e);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ADD_MODEL_CALL =
      returning(JAVA_LONG, "addModelCall", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

  /** The C function of this name. */
  public static long addModelCall(long a, long b, long c, long d, int e, long f) {
    try {
      return (long) ADD_MODEL_CALL.invokeExact(a, b, c, d, e, f);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ADD_MODEL_GRADIENTS =
      returning(JAVA_LONG, "addModelGradients", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static long addModelGradients(long a, long b, long c, int d) {
    try {
      return (long) ADD_MODEL_GRADIENTS.invokeExact(a, b, c, d);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_MODEL_ARRAY = returning(JAVA_LONG, "getModelArray", JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long getModelArray(long a, long b) {
    try {
      return (long) GET_MODEL_ARRAY.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle CREATE_SESSION =
      returning(JAVA_LONG, "createSession", JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static long createSession(long a, long b, int c) {
    try {
      return (long) CREATE_SESSION.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_SESSION = procedure("deleteSession", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteSession(long a) {
    try {
      DELETE_SESSION.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_SESSION_INPUT_COUNT = returning(JAVA_INT, "getSessionInputCount", JAVA_LONG);

  /** The C function of this name. */
  public static int getSessionInputCount(long a) {
    try {
      return (int) GET_SESSION_INPUT_COUNT.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_SESSION_INPUT = returning(JAVA_LONG, "getSessionInput", JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static long getSessionInput(long a, int b) {
    try {
      return (long) GET_SESSION_INPUT.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_SESSION_RESULT_COUNT = returning(JAVA_INT, "getSessionResultCount", JAVA_LONG);

  /** The C function of this name. */
  public static int getSessionResultCount(long a) {
    try {
      return (int) GET_SESSION_RESULT_COUNT.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_SESSION_RESULT = returning(JAVA_LONG, "getSessionResult", JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static long getSessionResult(long a, int b) {
    try {
      return (long) GET_SESSION_RESULT.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle RUN_SESSION =
      returning(JAVA_LONG, "runSession", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

  /** The C function of this name. */
  public static long runSession(long a, long b, long c, long d, int e, long f) {
    try {
      return (long) RUN_SESSION.invokeExact(a, b, c, d, e, f);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle CREATE_TRAINER =
      returning(JAVA_LONG, "createTrainer", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG,
          JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static long createTrainer(long a, long b, long c, int d, long e, long f, long g, int h) {
    try {
      return (long) CREATE_TRAINER.invokeExact(a, b, c, d, e, f, g, h);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_TRAINER = procedure("deleteTrainer", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteTrainer(long a) {
    try {
      DELETE_TRAINER.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle TRAINER_STEP =
      returning(JAVA_DOUBLE, "trainerStep", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static double trainerStep(long a, long b, long c, long d, int e) {
    try {
      return (double) TRAINER_STEP.invokeExact(a, b, c, d, e);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_TRAINER_STEPS = returning(JAVA_LONG, "getTrainerSteps", JAVA_LONG);

  /** The C function of this name. */
  public static long getTrainerSteps(long a) {
    try {
      return (long) GET_TRAINER_STEPS.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SAVE_TRAINER = returning(JAVA_INT, "saveTrainer", JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static int saveTrainer(long a, long b) {
    try {
      return (int) SAVE_TRAINER.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LOAD_TRAINER = returning(JAVA_INT, "loadTrainer", JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static int loadTrainer(long a, long b) {
    try {
      return (int) LOAD_TRAINER.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SAVE_TRAINED_MODEL = returning(JAVA_INT, "saveTrainedModel", JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static int saveTrainedModel(long a, long b) {
    try {
      return (int) SAVE_TRAINED_MODEL.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

}
