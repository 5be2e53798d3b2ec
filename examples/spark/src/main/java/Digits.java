import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.FixedThresholdAlgorithm;
import org.deeplearning4j.spark.api.RDDTrainingApproach;
import org.deeplearning4j.spark.api.Repartition;
import org.deeplearning4j.spark.api.TrainingMaster;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingMaster;
import org.deeplearning4j.spark.impl.repartitioner.DefaultRepartitioner;
import org.deeplearning4j.spark.parameterserver.training.SharedTrainingMaster;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.SplitTestAndTrain;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions;
import org.nd4j.parameterserver.distributed.conf.VoidConfiguration;
import org.nd4j.parameterserver.distributed.v2.transport.PortSupplier;
import scala.Tuple3;

/**
 * A network learns 1,500 handwritten digits on a Spark cluster of two executors, each a process of its own, and reads
 * 297 others.
 *
 * <p>Arguments: {@code averaging} (each executor trains a copy of the network; the parameters are averaged) or {@code
 * sharing} (the executors send each other their gradients over UDP); {@code true} to kill an executor in the middle of
 * the training; the folder of the digits.
 */
public final class Digits {
  private static final int CLASSES = 10, TRAINING = 1500, BATCH = 25, EPOCHS = 16;
  private static final int EXECUTORS = 2, MEGABYTES = 1024;

  private static final String HOST = "127.0.0.1";

  public static void main(String[] arguments) throws IOException {
    String training = arguments[0];
    if (!List.of("averaging", "sharing").contains(training)) {
      throw new IllegalArgumentException("[Digits] argument 1: '" + training + "' is neither 'averaging' nor 'sharing'");
    }
    boolean kill = Boolean.parseBoolean(arguments[1]);
    SplitTestAndTrain digits = read(new File(arguments[2]));
    MultiLayerNetwork network = new MultiLayerNetwork(configuration());
    network.init();

    try (JavaSparkContext spark = new JavaSparkContext(cluster())) {
      Map<String, Long> processes = printLibraries(spark);
      TrainingMaster<?, ?> master = training.equals("sharing") ? sharing() : averaging();
      SparkDl4jMultiLayer trainer = new SparkDl4jMultiLayer(spark, network, master);
      JavaRDD<DataSet> batches = spark.parallelize(digits.getTrain().batchBy(BATCH), EXECUTORS);

      long start = System.nanoTime();
      for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        if (kill && epoch == EPOCHS / 2) spark.sc().addSparkListener(new Killer(processes));
        trainer.fit(batches);
        System.out.printf("epoch %2d: loss %.6f%n", epoch, network.score(digits.getTrain()));
      }
      double seconds = (System.nanoTime() - start) / 1e9;

      if (kill && printLibraries(spark).equals(processes)) throw new AssertionError("no executor was killed");
      Evaluation evaluation = trainer.evaluate(spark.parallelize(digits.getTest().batchBy(BATCH), EXECUTORS));
      String library = Nd4j.getBackend().buildInfo().split("\n")[0];
      System.out.printf("%s: %.1f %% of %d digits read correctly after %.1f s%n", library, 100 * evaluation.accuracy(),
          evaluation.getNumRowCounter(), seconds);
      if (evaluation.accuracy() < 0.9) throw new AssertionError("the network did not learn");
    }
  }

  /** Master and workers of the cluster are in this process; each worker starts a process for its executor. */
  private static SparkConf cluster() throws IOException {
    // Spark's workers want a folder of jars; those that the executors use are on the class path of this process.
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    String options = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> !option.startsWith("-X"))
        .collect(Collectors.joining(" "));
    return new SparkConf()
        .setAppName("digits")
        .setMaster(String.format("local-cluster[%d,1,%d]", EXECUTORS, MEGABYTES))
        .set("spark.executor.memory", MEGABYTES + "m")
        .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
        .set("spark.executor.extraJavaOptions", options)
        .set("spark.driver.host", HOST)
        .set("spark.ui.enabled", "false")
        // The first task waits for all executors, and a batch goes to whichever is free.
        .set("spark.scheduler.minRegisteredResourcesRatio", "1")
        .set("spark.locality.wait", "0");
  }

  private static TrainingMaster<?, ?> averaging() {
    return new ParameterAveragingTrainingMaster.Builder(EXECUTORS, BATCH)
        .batchSizePerWorker(BATCH)
        .averagingFrequency(10)
        .rddTrainingApproach(RDDTrainingApproach.Direct)
        .repartionData(Repartition.Never)
        .rngSeed(7)
        .build();
  }

  private static TrainingMaster<?, ?> sharing() {
    VoidConfiguration network =
        VoidConfiguration.builder().controllerAddress(HOST).portSupplier(new PortOfWorker()).build();
    return new SharedTrainingMaster.Builder(network, BATCH)
        .batchSizePerWorker(BATCH)
        .workersPerNode(1)
        .thresholdAlgorithm(new FixedThresholdAlgorithm(5e-4))
        .rddTrainingApproach(RDDTrainingApproach.Direct)
        // Without this, every batch is a task of its own.
        .repartitioner(new DefaultRepartitioner(EXECUTORS))
        .build();
  }

  private static MultiLayerConfiguration configuration() {
    return new NeuralNetConfiguration.Builder()
        .seed(7)
        .weightInit(WeightInit.XAVIER)
        .updater(new Adam(1e-3))
        .list()
        .layer(new DenseLayer.Builder().nIn(64).nOut(64).activation(Activation.RELU).build())
        .layer(new OutputLayer.Builder(LossFunctions.LossFunction.NEGATIVELOGLIKELIHOOD)
            .nOut(CLASSES).activation(Activation.SOFTMAX).build())
        .build();
  }

  private static SplitTestAndTrain read(File folder) {
    INDArray images = Nd4j.createFromNpyFile(new File(folder, "optdigits.npy")).castTo(DataType.FLOAT).divi(16);
    INDArray labels = Nd4j.createFromNpyFile(new File(folder, "optdigits_labels.npy")).castTo(DataType.INT32);
    long count = images.size(0);
    INDArray oneHot = Nd4j.zeros(DataType.FLOAT, count, CLASSES);
    for (int i = 0; i < count; i++) oneHot.putScalar(i, labels.getInt(i), 1);
    DataSet all = new DataSet(images.reshape(count, 64), oneHot);
    all.shuffle(7);
    return all.splitTestAndTrain(TRAINING);
  }

  /** Prints what the operations run on in every executor; returns the executors and their processes. */
  private static Map<String, Long> printLibraries(JavaSparkContext spark) {
    List<Integer> tasks = Collections.nCopies(EXECUTORS, 0);
    Map<String, Long> processes = new TreeMap<>();
    for (Tuple3<String, Long, String> found : spark.parallelize(tasks, EXECUTORS).map(task -> library()).collect()) {
      processes.put(found._1(), found._2());
      System.out.printf("executor %s, process %d: %s%n", found._1(), found._2(), found._3());
    }
    return processes;
  }

  private static Tuple3<String, Long, String> library() throws IOException, InterruptedException {
    StringJoiner libraries = new StringJoiner(", ");
    libraries.add(Nd4j.getBackend().getClass().getSimpleName()).add(Nd4j.getBackend().buildInfo().split("\n")[0]);
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      maps.map(line -> line.substring(line.lastIndexOf('/') + 1))
          .filter(file -> file.matches("lib(ndforge|nd4jcpu)\\.so.*")).distinct().forEach(libraries::add);
    }
    // The other executor gets the other task while this one waits.
    Thread.sleep(1000);
    return new Tuple3<>(SparkEnv.get().executorId(), ProcessHandle.current().pid(), libraries.toString());
  }

  /**
   * The UDP port that has the number of the TCP port of the driver, or of the executor's worker: all are on one machine
   * here. An executor that takes the place of another must have the port of that one.
   */
  private static final class PortOfWorker implements PortSupplier {
    private static final long serialVersionUID = 1;
    private static final Pattern WORKER = Pattern.compile("--worker-url \\S+:(\\d+)");

    @Override
    public int getPort() {
      Matcher worker = WORKER.matcher(System.getProperty("sun.java.command"));
      return Integer.parseInt(worker.find() ? worker.group(1) : SparkEnv.get().conf().get("spark.driver.port"));
    }
  }

  /** Kills the executor that has the first task of the next round of training, without a warning. */
  private static final class Killer extends SparkListener {
    private final Map<String, Long> processes;
    private final Set<Integer> rounds = new HashSet<>();
    private boolean killed;

    Killer(Map<String, Long> processes) {
      this.processes = processes;
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted stage) {
      if (stage.stageInfo().name().startsWith("treeAggregate")) rounds.add(stage.stageInfo().stageId());
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart task) {
      if (killed || !rounds.contains(task.stageId())) return;
      String executor = task.taskInfo().executorId();
      ProcessHandle.of(processes.get(executor)).orElseThrow().destroyForcibly();
      killed = true;
      System.out.printf("executor %s, process %d: killed%n", executor, processes.get(executor));
    }
  }
}
