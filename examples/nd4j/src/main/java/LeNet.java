import java.io.File;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.SplitTestAndTrain;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** A convolutional network learns 1,500 handwritten digits and reads 297 others: an ordinary Deeplearning4j program. */
public final class LeNet {
  private static final int CLASSES = 10, TRAINING = 1500, BATCH = 50, EPOCHS = 12;

  public static void main(String[] arguments) {
    File folder = new File(arguments.length > 0 ? arguments[0] : "../data");
    INDArray images = Nd4j.createFromNpyFile(new File(folder, "optdigits.npy")).castTo(DataType.FLOAT).divi(16);
    INDArray labels = Nd4j.createFromNpyFile(new File(folder, "optdigits_labels.npy")).castTo(DataType.INT32);
    long count = images.size(0);
    images = images.reshape(count, 1, 8, 8);
    INDArray oneHot = Nd4j.zeros(DataType.FLOAT, count, CLASSES);
    for (int i = 0; i < count; i++) oneHot.putScalar(i, labels.getInt(i), 1);
    DataSet all = new DataSet(images, oneHot);
    all.shuffle(7);
    SplitTestAndTrain parts = all.splitTestAndTrain(TRAINING);

    MultiLayerConfiguration configuration = new NeuralNetConfiguration.Builder()
        .seed(7)
        .weightInit(WeightInit.XAVIER)
        .updater(new Adam(2e-3))
        .list()
        .layer(new ConvolutionLayer.Builder(3, 3).nOut(16).padding(1, 1).activation(Activation.RELU).build())
        .layer(new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX, new int[] {2, 2}, new int[] {2, 2}).build())
        .layer(new ConvolutionLayer.Builder(3, 3).nOut(32).padding(1, 1).activation(Activation.RELU).build())
        .layer(new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX, new int[] {2, 2}, new int[] {2, 2}).build())
        .layer(new DenseLayer.Builder().nOut(64).activation(Activation.RELU).build())
        .layer(new OutputLayer.Builder(LossFunctions.LossFunction.NEGATIVELOGLIKELIHOOD)
            .nOut(CLASSES).activation(Activation.SOFTMAX).build())
        .setInputType(InputType.convolutional(8, 8, 1))
        .build();
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();

    long start = System.nanoTime();
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
      for (DataSet batch : parts.getTrain().batchBy(BATCH)) network.fit(batch);
      System.out.printf("epoch %2d: loss %.4f%n", epoch, network.score());
    }
    double seconds = (System.nanoTime() - start) / 1e9;

    Evaluation evaluation = new Evaluation(CLASSES);
    evaluation.eval(parts.getTest().getLabels(), network.output(parts.getTest().getFeatures()));
    System.out.printf("%s: %.1f %% of %d digits read correctly after %.1f s%n", Nd4j.getBackend().buildInfo().split("\n")[0],
        100 * evaluation.accuracy(), parts.getTest().numExamples(), seconds);
    if (evaluation.accuracy() < 0.93) throw new AssertionError("the network did not learn");
  }
}
