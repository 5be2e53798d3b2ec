package org.ndforge.programs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.*;
import org.deeplearning4j.nn.conf.layers.recurrent.Bidirectional;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.deeplearning4j.nn.conf.layers.recurrent.SimpleRnn;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Each layer, activation, loss, updater and initialisation of Deeplearning4j in a small network: three steps of training. */
final class Layers {
  private Layers() {}

  static void run(Rows rows) {
    for (DataType type : new DataType[] {DataType.FLOAT, DataType.DOUBLE}) {
      images().forEach((name, layers) -> rows.row("image " + name + " " + type, () -> image(type, layers)));
      sequences().forEach((name, layers) -> rows.row("sequence " + name + " " + type, () -> sequence(type, layers)));
    }
    for (Activation activation : Activation.values())
      rows.row("activation " + activation, () -> dense(new Sgd(0.1), activation, WeightInit.XAVIER, LossFunction.MCXENT, Activation.SOFTMAX, 0, 1));
    for (LossFunction loss : LossFunction.values())
      rows.row("loss " + loss, () -> dense(new Sgd(0.01), Activation.TANH, WeightInit.XAVIER, loss,
          loss == LossFunction.XENT || loss.name().contains("LOG") || loss.name().contains("POISSON")
              || loss.name().contains("KL") ? Activation.SIGMOID : Activation.SOFTMAX, 0, 1));
    for (IUpdater updater : Graphs.updaters())
      rows.row("updater " + updater.getClass().getSimpleName(), () -> dense(updater, Activation.TANH, WeightInit.XAVIER,
          LossFunction.MCXENT, Activation.SOFTMAX, 0, 1));
    for (WeightInit init : WeightInit.values())
      rows.row("weights " + init, () -> dense(new Sgd(0.1), Activation.TANH, init, LossFunction.MCXENT, Activation.SOFTMAX, 0, 1));
    rows.row("regularised", () -> dense(new Sgd(0.1), Activation.TANH, WeightInit.XAVIER, LossFunction.MCXENT, Activation.SOFTMAX, 0.01, 1));
    rows.row("dropout", () -> dense(new Sgd(0.1), Activation.TANH, WeightInit.XAVIER, LossFunction.MCXENT, Activation.SOFTMAX, 0, 0.6));
  }

  private static NeuralNetConfiguration.Builder builder(DataType type) {
    return new NeuralNetConfiguration.Builder().seed(7).dataType(type).updater(new Sgd(0.05)).weightInit(WeightInit.XAVIER)
        .optimizationAlgo(OptimizationAlgorithm.STOCHASTIC_GRADIENT_DESCENT);
  }

  private static Object dense(IUpdater updater, Activation activation, WeightInit init, LossFunction loss, Activation last,
      double decay, double keep) {
    int hidden = init == WeightInit.IDENTITY ? 4 : 6, classes = init == WeightInit.IDENTITY ? 4 : 3;
    NeuralNetConfiguration.Builder builder = builder(DataType.FLOAT).updater(updater).weightInit(init).activation(activation);
    if (init == WeightInit.DISTRIBUTION) builder.dist(new org.deeplearning4j.nn.conf.distribution.NormalDistribution(0, 0.3));
    if (decay > 0) builder.l1(decay).l2(decay).l1Bias(decay).weightDecay(decay);
    if (keep < 1) builder.dropOut(keep);
    MultiLayerConfiguration conf = builder.list().layer(new DenseLayer.Builder().nIn(4).nOut(hidden).build())
        .layer(new DenseLayer.Builder().nIn(hidden).nOut(hidden).build())
        .layer(new OutputLayer.Builder(loss).nIn(hidden).nOut(classes).activation(last).build()).build();
    return trained(conf, ArrayCalls.numbers(DataType.FLOAT, 10, 4).mul(0.3), Graphs.classes(10, classes));
  }

  /** Scores of three steps, parameters, and the output. */
  static Object trained(MultiLayerConfiguration conf, INDArray features, INDArray labels) {
    MultiLayerNetwork network = new MultiLayerNetwork(conf);
    network.init();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("initial", network.params().dup());
    DataSet data = new DataSet(features, labels);
    double[] scores = new double[3];
    for (int i = 0; i < scores.length; ++i) {
      network.fit(data);
      scores[i] = network.score();
    }
    all.put("scores", Nd4j.createFromArray(scores).castTo(DataType.FLOAT));
    all.put("parameters", network.params().castTo(DataType.FLOAT));
    all.put("output", network.output(features).castTo(DataType.FLOAT));
    return all;
  }

  private static Object image(DataType type, Layer[] layers) {
    NeuralNetConfiguration.ListBuilder list = builder(type).list();
    for (Layer layer : layers) list.layer(layer);
    list.layer(new OutputLayer.Builder(LossFunction.MCXENT).nOut(3).activation(Activation.SOFTMAX).build());
    return trained(list.setInputType(InputType.convolutional(8, 8, 2)).build(), ArrayCalls.numbers(type, 4, 2, 8, 8).mul(0.2),
        Graphs.classes(4, 3).castTo(type));
  }

  private static Object sequence(DataType type, Layer[] layers) {
    NeuralNetConfiguration.ListBuilder list = builder(type).list();
    for (Layer layer : layers) list.layer(layer);
    list.layer(new OutputLayer.Builder(LossFunction.MCXENT).nOut(3).activation(Activation.SOFTMAX).build());
    return trained(list.setInputType(InputType.recurrent(3, 6)).build(), ArrayCalls.numbers(type, 4, 3, 6).mul(0.2),
        Graphs.classes(4, 3).castTo(type));
  }

  private static Map<String, Layer[]> images() {
    Map<String, Layer[]> all = new LinkedHashMap<>();
    all.put("convolution", new Layer[] {new ConvolutionLayer.Builder(3, 3).nOut(3).activation(Activation.RELU).build()});
    all.put("convolution same", new Layer[] {new ConvolutionLayer.Builder(3, 3).stride(2, 2).nOut(3)
        .convolutionMode(ConvolutionMode.Same).activation(Activation.TANH).build()});
    all.put("convolution dilated", new Layer[] {new ConvolutionLayer.Builder(3, 3).dilation(2, 2).nOut(3).hasBias(false)
        .activation(Activation.TANH).build()});
    all.put("max pooling", new Layer[] {new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX, new int[] {2, 2},
        new int[] {2, 2}).build()});
    all.put("average pooling", new Layer[] {new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.AVG, new int[] {3, 3},
        new int[] {2, 2}).build()});
    all.put("p-norm pooling", new Layer[] {new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.PNORM, new int[] {2, 2},
        new int[] {2, 2}).pnorm(3).build()});
    all.put("global pooling", new Layer[] {new ConvolutionLayer.Builder(3, 3).nOut(3).activation(Activation.TANH).build(),
        new GlobalPoolingLayer.Builder(PoolingType.AVG).build()});
    all.put("batch normalization", new Layer[] {new ConvolutionLayer.Builder(3, 3).nOut(3).activation(Activation.IDENTITY)
        .build(), new BatchNormalization.Builder().build()});
    all.put("local response", new Layer[] {new ConvolutionLayer.Builder(3, 3).nOut(3).activation(Activation.TANH).build(),
        new LocalResponseNormalization.Builder().build()});
    all.put("deconvolution", new Layer[] {new Deconvolution2D.Builder(2, 2).stride(2, 2).nOut(2).activation(Activation.TANH).build()});
    all.put("separable", new Layer[] {new SeparableConvolution2D.Builder(3, 3).nOut(3).depthMultiplier(2)
        .activation(Activation.TANH).build()});
    all.put("depthwise", new Layer[] {new DepthwiseConvolution2D.Builder(3, 3).depthMultiplier(2).nOut(4)
        .activation(Activation.TANH).build()});
    all.put("locally connected", new Layer[] {new LocallyConnected2D.Builder().kernelSize(3, 3).nOut(2).activation(Activation.TANH).build()});
    all.put("upsampling", new Layer[] {new Upsampling2D.Builder(2).build()});
    all.put("zero padding", new Layer[] {new ZeroPaddingLayer.Builder(1, 2, 0, 1).build()});
    all.put("cropping", new Layer[] {
        new org.deeplearning4j.nn.conf.layers.convolutional.Cropping2D.Builder(1, 1).build()});
    all.put("space to depth", new Layer[] {new SpaceToDepthLayer.Builder(2, SpaceToDepthLayer.DataFormat.NCHW).build()});
    all.put("p-relu", new Layer[] {new PReLULayer.Builder().inputShape(2, 8, 8).sharedAxes(2, 3).build()});
    all.put("dense", new Layer[] {new DenseLayer.Builder().nOut(5).activation(Activation.SIGMOID).build()});
    all.put("dense with layer norm", new Layer[] {new DenseLayer.Builder().nOut(5).hasLayerNorm(true).activation(Activation.TANH).build()});
    all.put("autoencoder", new Layer[] {new AutoEncoder.Builder().nOut(5).corruptionLevel(0).activation(Activation.SIGMOID).build()});
    all.put("activation", new Layer[] {new ActivationLayer(Activation.ELU)});
    return all;
  }

  private static Map<String, Layer[]> sequences() {
    Map<String, Layer[]> all = new LinkedHashMap<>();
    all.put("LSTM", new Layer[] {new LastTimeStep(new LSTM.Builder().nOut(4).activation(Activation.TANH).build())});
    all.put("Graves LSTM", new Layer[] {new LastTimeStep(new GravesLSTM.Builder().nOut(4).activation(Activation.TANH).build())});
    all.put("simple", new Layer[] {new LastTimeStep(new SimpleRnn.Builder().nOut(4).activation(Activation.TANH).build())});
    all.put("simple with layer norm", new Layer[] {new LastTimeStep(new SimpleRnn.Builder().nOut(4).hasLayerNorm(true)
        .activation(Activation.TANH).build())});
    all.put("bidirectional", new Layer[] {new LastTimeStep(new Bidirectional(Bidirectional.Mode.CONCAT,
        new LSTM.Builder().nOut(4).activation(Activation.TANH).build()))});
    all.put("LSTM then pooling", new Layer[] {new LSTM.Builder().nOut(4).activation(Activation.TANH).build(),
        new GlobalPoolingLayer.Builder(PoolingType.MAX).build()});
    all.put("convolution 1D", new Layer[] {new Convolution1DLayer.Builder(3).nOut(4).activation(Activation.TANH).build(),
        new GlobalPoolingLayer.Builder(PoolingType.AVG).build()});
    all.put("self attention", new Layer[] {new SelfAttentionLayer.Builder().nOut(4).nHeads(2).headSize(2).projectInput(true).build(),
        new GlobalPoolingLayer.Builder(PoolingType.AVG).build()});
    all.put("learned attention", new Layer[] {new LearnedSelfAttentionLayer.Builder().nOut(4).nHeads(2).headSize(2).nQueries(2)
        .projectInput(true).build(), new GlobalPoolingLayer.Builder(PoolingType.AVG).build()});
    all.put("recurrent attention", new Layer[] {new RecurrentAttentionLayer.Builder().nOut(4).nHeads(1).headSize(4)
        .projectInput(true).build(), new GlobalPoolingLayer.Builder(PoolingType.AVG).build()});
    return all;
  }
}
