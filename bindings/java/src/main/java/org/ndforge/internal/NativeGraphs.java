package org.ndforge.internal;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.ndforge.internal.Native.failed;
import static org.ndforge.internal.Native.procedure;
import static org.ndforge.internal.Native.returning;

import java.lang.invoke.MethodHandle;

/** Functions of the C interface for graphs, sessions and trainers, with their C names: see {@link Native}. */
public final class NativeGraphs {
  private NativeGraphs() {}

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
