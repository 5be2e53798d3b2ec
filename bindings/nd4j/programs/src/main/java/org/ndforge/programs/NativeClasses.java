package org.ndforge.programs;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.cpu.nativecpu.bindings.Nd4jCpu;
import org.nd4j.linalg.cpu.nativecpu.bindings.Nd4jCpu.*;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The C++ classes as ND4J's JNI library shows them: it contains inline functions of libnd4j, which read the members of
 * objects and call virtual functions by their places.
 */
final class NativeClasses {
  private static final int FLOAT = DataType.FLOAT.toInt(), DOUBLE = DataType.DOUBLE.toInt();

  private static final List<Pointer> GIVEN = new ArrayList<>();

  private NativeClasses() {}

  static void run(Rows rows) {
    Nd4j.create(1);  // loads the libraries
    Map<String, Callable<Pointer>> objects = new LinkedHashMap<>();
    objects.put("matrix", () -> array('c', 2, 3));
    objects.put("matrix, order f", () -> array('f', 3, 2));
    objects.put("row", () -> array('c', 1, 4));
    objects.put("column", () -> array('c', 4, 1));
    objects.put("vector", () -> array('c', 5));
    objects.put("cube", () -> array('c', 2, 3, 4));
    objects.put("transposed", () -> array('c', 2, 3).transpose());
    objects.put("copy", () -> array('c', 2, 3).dup());
    objects.put("launch context", LaunchContext::new);
    objects.put("launch context 3", () -> {
      LaunchContext context = new LaunchContext();
      context.setDeviceID(3);
      return context;
    });
    objects.put("generator", () -> new RandomGenerator(12, 34));
    objects.put("generator, rewound", () -> {
      RandomGenerator generator = new RandomGenerator(12, 34);
      generator.rewindH(100);
      return generator;
    });
    objects.put("prototype", () -> new ContextPrototype(null, 7, true));
    objects.put("variables", NativeClasses::variables);
    objects.put("copied variables", () -> new VariableSpace().put(variables()));
    objects.put("cloned variables", () -> variables().clone());
    objects.put("variable", () -> given(new Variable(given(array('c', 2)), "name", 3, 4)));
    objects.put("arguments", NativeClasses::arguments);
    objects.put("copied arguments", () -> new OpArgsHolder(arguments()));
    objects.put("gradient arguments", () -> arguments().createArgsHolderForBP(
        new NDArrayVector(given(array('c', 2))), true));
    objects.put("no arguments", OpArgsHolder::new);
    objects.put("index of all", () -> new NDIndex().all());
    objects.put("index of a point", () -> new NDIndex().point(3));
    objects.put("index of an interval", () -> new NDIndex().interval(1, 9, 2));
    objects.put("index", NDIndex::new);
    objects.put("key", () -> new KeyPair(5, "five"));
    objects.put("empty key", KeyPair::new);
    objects.put("text", () -> new utf8string("hello", 5));
    objects.put("copied text", () -> new utf8string(new utf8string("hello", 5)));
    objects.put("empty text", utf8string::new);
    objects.put("statistics", () -> {
      DebugInfo info = new DebugInfo();
      return info._minValue(1)._maxValue(2)._meanValue(3)._stdDevValue(4)._zeroCount(5)._positiveCount(6)
          ._negativeCount(7)._infCount(8)._nanCount(9);
    });
    objects.put("descriptor", () -> new add().getOpDescriptor());
    objects.put("shapes", () -> new ShapeList(shape(array('c', 2, 3))));
    objects.put("results", ResultSet::new);
    // Objects refer to each other only in C++, where the garbage collector does not see it; the scope keeps all of them.
    try (PointerScope scope = new PointerScope()) {
      objects.forEach((name, make) -> rows.row(name, () -> answers(make.call())));
      calls(rows);
    }
    lives(rows);
  }

  /** One object of each class, and an array of three where a class has one, destroyed at once. */
  private static void lives(Rows rows) {
    Class<?>[] classes = Nd4jCpu.class.getDeclaredClasses();
    Arrays.sort(classes, Comparator.comparing(Class::getName));
    for (Class<?> type : classes) {
      if (!Pointer.class.isAssignableFrom(type) || Modifier.isAbstract(type.getModifiers())) continue;
      for (Constructor<?> constructor : type.getConstructors()) {
        Class<?>[] parameters = constructor.getParameterTypes();
        boolean array = Arrays.equals(parameters, new Class<?>[] {long.class});
        if (!array && parameters.length != 0) continue;
        rows.row("life of " + type.getSimpleName() + (array ? "[3]" : ""), () -> {
          try (Pointer object = (Pointer) (array ? constructor.newInstance(3) : constructor.newInstance())) {
            return object.isNull() ? "null" : "an object";
          }
        });
      }
    }
  }

  private static void calls(Rows rows) {
    rows.row("environment", NativeClasses::environment);
    rows.row("generator draws", () -> {
      RandomGenerator generator = new RandomGenerator(12, 34);
      return Arrays.asList(generator.xoroshiro32(5), generator.xoroshiro64(5), generator.relativeInt(6),
          generator.relativeLong(7));
    });
    rows.row("generator of a context", () -> {
      Context context = context();
      context.setRng(new RandomGenerator(12, 34));
      context.setDataType(0, DOUBLE);
      context.setUseONEDNN(false);
      context.setRandomSeed(77);
      RandomGenerator held = context.randomGenerator();
      return Arrays.asList(held.rootState(), held.nodeState(), context.dataType(), context.dataType(0),
          context.isUseONEDNN(), context.randomSeed(), context.width());
    });
    rows.row("lookup", () -> {
      VariableSpace variables = variables();
      return Arrays.asList(variables.hasVariable(1), variables.hasVariable(1, 1), variables.hasVariable(9),
          variables.hasVariable(new BytePointer("second")), variables.getVariable(1).getNDArray().lengthOf(),
          variables.getVariable(2, 0).getNDArray().rankOf(), variables.hasExternalVariable(-1),
          variables.hasExternalVariable(1), variables.getStash() != null, variables.launchContext() != null);
    });
    rows.row("dropped", () -> {
      VariableSpace variables = variables();
      variables.dropVariable(1, 0);
      return Arrays.asList(variables.hasVariable(1), variables.hasVariable(2), variables.totalEntries());
    });
    rows.row("same shapes", () -> Arrays.asList(array('c', 2, 3).isSameShape(array('f', 2, 3)),
        array('c', 2, 3).isSameShape(new long[] {2, 3}), array('c', 2, 3).isSameShape(new long[] {3, 2}),
        array('c', 2, 3).isSameShapeStrict(array('f', 2, 3)), array('c', 1, 3).isCommonVector(new int[1])));
    rows.row("flow path", () -> {
      FlowPath path = new FlowPath();
      path.markNodeActive(3, false);
      path.markExecuted(4, true);
      path.markBranch(5, 1);
      path.setInnerTime(6, 66);
      path.registerFrame(7);
      path.markFrameActive(7, true);
      path.incrementNumberOfCycles(7);
      path.planRewind(7, true);
      path.setRewindPosition(7, 9);
      GraphProfile profile = path.profile();
      profile.addToTotal(10);
      profile.startEvent("event");
      profile.recordEvent("event");
      profile.nodeById(3, "three").setTotalTime(5);
      return Arrays.asList(path.isNodeActive(3), path.wasExecuted(4), path.branch(5), path.innerTime(6),
          path.isFrameActive(7), path.getNumberOfCycles(7), path.isRewindPlanned(7), path.getRewindPosition(7),
          profile.nodeExists(3), profile.nodeExists(4));
    });
    rows.row("output shapes", () -> {
      ShapeList shapes = new ShapeList();
      shapes.push_back(shape(array('c', 2, 3)));
      shapes.push_back(shape(array('c', 2, 3)));
      Context context = context();
      context.setInputArray(0, array('c', 2, 3));
      context.setInputArray(1, array('c', 2, 3));
      ShapeList result = new add().calculateOutputShape(shapes, context);
      LongPointer first = result.at(0);
      return Arrays.asList(result.size(), first.get(0), first.get(1), first.get(2));
    });
    rows.row("an operation", () -> {
      Context context = context();
      NDArray x = array('c', 2, 3), z = array('c', 2, 3);
      context.setInputArray(0, x);
      context.setInputArray(1, x);
      context.setOutputArray(0, z);
      add operation = new add();
      return Arrays.asList(operation.validateDataTypes(context), operation.execute(context), elements(z),
          operation.getOpName().getString(), operation.getOpHash());
    });
    rows.row("an operation on vectors", () -> {
      NDArray x = array('c', 2, 3);
      ResultSet results = new multiply().evaluate(new NDArrayVector(x, x));
      return Arrays.asList(results.status(), results.size(), elements(results.at(0)));
    });
    rows.row("an operation on a holder", () -> {
      ResultSet results = new reduce_sum().execute(new OpArgsHolder(new NDArrayVector(array('c', 2, 3)),
          new double[0], new long[] {1}, new boolean[0]));
      return Arrays.asList(results.status(), results.size(), elements(results.at(0)));
    });
  }

  /** What all methods without parameters return that give numbers or text. */
  private static Map<String, Object> answers(Pointer object) {
    Map<String, Object> answers = new LinkedHashMap<>();
    for (Class<?> type = object.getClass(); type != Pointer.class; type = type.getSuperclass()) {
      Method[] methods = type.getDeclaredMethods();
      Arrays.sort(methods, Comparator.comparing(Method::getName));
      for (Method method : methods) {
        Class<?> result = method.getReturnType();
        // asByteVector gives bytes and not text, randomSeed the time.
        if (method.getParameterCount() != 0 || !Modifier.isNative(method.getModifiers())
            || Modifier.isStatic(method.getModifiers()) || !Modifier.isPublic(method.getModifiers())
            || result == void.class || method.getName().matches("asByteVector|randomSeed")) continue;
        try {
          Object value = method.invoke(object);
          if (value instanceof BytePointer) value = ((BytePointer) value).getString();
          if (value instanceof Pointer) value = ((Pointer) value).isNull() ? "null" : "an object";
          answers.putIfAbsent(method.getName(), value);
        } catch (ReflectiveOperationException error) {
          answers.putIfAbsent(method.getName(), "! " + error.getCause().getClass().getSimpleName());
        }
      }
    }
    return answers;
  }

  private static Map<String, Object> environment() {
    Environment environment = Environment.getInstance();
    Map<String, Object> answers = new LinkedHashMap<>();
    boolean before = environment.isUseONEDNN();
    environment.setUseONEDNN(!before);
    answers.put("changed", environment.isUseONEDNN() != before);
    environment.setUseONEDNN(before);
    environment._blasMajorVersion(3)._blasMinorVersion(4)._blasPatchVersion(5);
    answers.put("versions", Arrays.asList(environment.blasMajorVersion(), environment.blasMinorVersion(),
        environment.blasPatchVersion(), environment._blasMajorVersion()));
    answers.put("debug", environment.isDebug());
    answers.put("verbose", environment.isVerbose());
    answers.put("type", environment.defaultFloatDataType());
    return answers;
  }

  private static NDArray array(char order, long... shape) {
    NDArray array = new NDArray(order, shape, FLOAT, new LaunchContext().defaultContext());
    array.linspace(1);
    return array;
  }

  /** An object that belongs to C++ from now on: neither a scope nor the garbage collector frees it. */
  private static <P extends Pointer> P given(P object) {
    GIVEN.add(object);
    return object.retainReference();
  }

  /** Of the C interface: objects of this class are larger on NDForge than the JNI library knows. */
  private static Context context() {
    return new Context(new Nd4jCpu().createGraphContext(1));
  }

  private static LongPointer shape(NDArray array) {
    return new LongPointer(array.shapeInfo()).retainReference();
  }

  private static String elements(NDArray array) {
    return array.asIndexedString(16).getString();
  }

  /** The space owns its arrays and variables. */
  private static VariableSpace variables() {
    VariableSpace variables = new VariableSpace();
    variables.putVariable(1, 0, given(array('c', 2, 3)));
    variables.putVariable(1, 1, given(array('c', 4)));
    variables.putVariable(2, variable("second", 2, array('c', 2, 2)));
    variables.putVariable(-1, given(array('c', 3)));
    variables.putOutputVariable(variable("output", 5, array('c', 1)));
    return variables;
  }

  private static Variable variable(String name, int number, NDArray array) {
    return given(new Variable(given(array), name, number, 0));
  }

  private static OpArgsHolder arguments() {
    NDArray x = given(array('c', 2)), y = given(array('c', 3));
    return new OpArgsHolder(new NDArrayVector(x, y), new double[] {1.5, 2.5, 3.5}, new long[] {1},
        new boolean[] {true, false});
  }
}
