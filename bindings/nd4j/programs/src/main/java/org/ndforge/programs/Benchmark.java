package org.ndforge.programs;

import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.ops.transforms.Transforms;

/**
 * Times operations at 10 to 10 million elements and steps of training: {@code Benchmark [PART OF NAME]}. A row is a name
 * and the least time of a call in ns; results that a call makes are closed in that time. benchmark.sh compares rows.
 */
public final class Benchmark {
  private static final double WARM_UP = 0.15, ROUND = 0.04;
  private static final int ROUNDS = 7;

  private final Pattern only;

  private Benchmark(Pattern only) {
    this.only = only;
  }

  public static void main(String[] args) {
    Nd4j.getRandom().setSeed(7);
    Benchmark benchmark = new Benchmark(Pattern.compile(args.length > 0 ? args[0] : ""));
    for (long n : new long[] {10, 1000, 100_000, 10_000_000}) benchmark.elements(n);
    for (int n : new int[] {4, 64, 512}) benchmark.matrices(n);
    benchmark.training();
    System.exit(0);
  }

  private void row(String name, Runnable call) {
    if (!only.matcher(name).find()) return;
    long calls = 1;
    double seconds = 0;
    for (double spent = 0; spent < WARM_UP; spent += seconds) {
      seconds = time(call, calls);
      if (seconds < ROUND) calls = Math.max(calls + 1, (long) (calls * Math.min(10, ROUND / Math.max(seconds, 1e-9))));
    }
    double least = Double.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) least = Math.min(least, time(call, calls) / calls);
    System.out.printf("%s\t%.1f%n", name, least * 1e9);
  }

  private void made(String name, Supplier<INDArray> call) {
    row(name, () -> call.get().close());
  }

  private static double time(Runnable call, long calls) {
    long start = System.nanoTime();
    for (long i = 0; i < calls; i++) call.run();
    return (System.nanoTime() - start) / 1e9;
  }

  private void elements(long n) {
    String size = " " + n;
    INDArray x = Nd4j.rand(DataType.FLOAT, n), y = Nd4j.rand(DataType.FLOAT, n).addi(0.5), z = Nd4j.zeros(DataType.FLOAT, n);
    made("add" + size, () -> x.add(y));
    row("addi" + size, () -> z.addi(x));
    row("muli scalar" + size, () -> z.muli(1.0));
    row("divi" + size, () -> z.divi(y));
    made("exp" + size, () -> Transforms.exp(x));
    row("tanh in place" + size, () -> Transforms.tanh(z, false));
    row("sigmoid in place" + size, () -> Transforms.sigmoid(z, false));
    row("relu in place" + size, () -> Transforms.relu(z, false));
    made("sqrt" + size, () -> Transforms.sqrt(x));
    made("gt" + size, () -> x.gt(y));
    made("cast" + size, () -> x.castTo(DataType.DOUBLE));
    row("sum" + size, () -> x.sumNumber());
    row("max" + size, () -> x.maxNumber());
    row("std" + size, () -> x.stdNumber());
    row("norm2" + size, () -> x.norm2Number());
    row("argMax" + size, () -> x.argMax().close());
    row("dot" + size, () -> Nd4j.getBlasWrapper().dot(x, y));
    made("dup" + size, x::dup);
    row("assign" + size, () -> z.assign(x));
    made("zeros" + size, () -> Nd4j.zeros(DataType.FLOAT, n));
    made("rand" + size, () -> Nd4j.rand(DataType.FLOAT, n));
    made("randn" + size, () -> Nd4j.randn(DataType.FLOAT, n));
    if (n >= 1000) {
      INDArray matrix = x.reshape(n / 100, 100), row = Nd4j.rand(DataType.FLOAT, 1, 100), column = Nd4j.rand(DataType.FLOAT, n / 100, 1);
      made("sum of rows" + size, () -> matrix.sum(1));
      made("sum of columns" + size, () -> matrix.sum(0));
      made("mean of rows" + size, () -> matrix.mean(1));
      made("max of columns" + size, () -> matrix.max(0));
      made("argMax of rows" + size, () -> matrix.argMax(1));
      made("addRowVector" + size, () -> matrix.addRowVector(row));
      made("mulColumnVector" + size, () -> matrix.mulColumnVector(column));
      made("transpose" + size, () -> matrix.transpose().dup('c'));
      made("columns" + size, () -> matrix.get(NDArrayIndex.all(), NDArrayIndex.interval(10, 60)).dup());
      made("softmax" + size, () -> Nd4j.exec(DynamicCustomOp.builder("softmax").addInputs(matrix).build())[0]);
      made("concat" + size, () -> Nd4j.concat(0, matrix, matrix));
      made("layer_norm" + size, () -> Nd4j.exec(DynamicCustomOp.builder("layer_norm").addInputs(matrix, row.reshape(100))
          .addIntegerArguments(1).build())[0]);
    }
    for (INDArray array : new INDArray[] {x, y, z}) array.close();
  }

  private void matrices(int n) {
    INDArray a = Nd4j.rand(DataType.FLOAT, n, n), b = Nd4j.rand(DataType.FLOAT, n, n);
    made("mmul " + n, () -> a.mmul(b));
    made("mmul transposed " + n, () -> a.mmul(b.transpose()));
    made("mmul vector " + n, () -> a.mmul(b.getColumn(0).dup().reshape(n, 1)));
  }

  private void training() {
    network("perceptron", new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(1e-3)).list()
        .layer(new DenseLayer.Builder().nIn(64).nOut(128).activation(Activation.RELU).build())
        .layer(new OutputLayer.Builder(LossFunction.MCXENT).nIn(128).nOut(10).activation(Activation.SOFTMAX).build()).build(),
        Nd4j.rand(DataType.FLOAT, 50, 64), classes(50, 10));
    network("LeNet", new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(1e-3)).list()
        .layer(new ConvolutionLayer.Builder(5, 5).nOut(20).activation(Activation.RELU).build())
        .layer(new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX, new int[] {2, 2}, new int[] {2, 2}).build())
        .layer(new ConvolutionLayer.Builder(5, 5).nOut(50).activation(Activation.RELU).build())
        .layer(new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX, new int[] {2, 2}, new int[] {2, 2}).build())
        .layer(new DenseLayer.Builder().nOut(200).activation(Activation.RELU).build())
        .layer(new OutputLayer.Builder(LossFunction.MCXENT).nOut(10).activation(Activation.SOFTMAX).build())
        .setInputType(InputType.convolutional(28, 28, 1)).build(),
        Nd4j.rand(DataType.FLOAT, 32, 1, 28, 28), classes(32, 10));
    network("normalised", new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(1e-3)).list()
        .layer(new ConvolutionLayer.Builder(3, 3).nOut(16).padding(1, 1).activation(Activation.IDENTITY).build())
        .layer(new BatchNormalization.Builder().build())
        .layer(new ConvolutionLayer.Builder(3, 3).nOut(16).padding(1, 1).activation(Activation.RELU).build())
        .layer(new OutputLayer.Builder(LossFunction.MCXENT).nOut(10).activation(Activation.SOFTMAX).build())
        .setInputType(InputType.convolutional(16, 16, 3)).build(),
        Nd4j.rand(DataType.FLOAT, 16, 3, 16, 16), classes(16, 10));
    network("LSTM", new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(1e-3)).list()
        .layer(new LSTM.Builder().nIn(20).nOut(64).activation(Activation.TANH).build())
        .layer(new RnnOutputLayer.Builder(LossFunction.MCXENT).nIn(64).nOut(5).activation(Activation.SOFTMAX).build()).build(),
        Nd4j.rand(DataType.FLOAT, 16, 20, 25), Nd4j.ones(DataType.FLOAT, 16, 5, 25).divi(5));
    SameDiff graph = SameDiff.create();
    SDVariable x = graph.constant(Nd4j.rand(DataType.FLOAT, 50, 64));
    SDVariable w = graph.var("w", Nd4j.rand(DataType.FLOAT, 64, 32)), v = graph.var("v", Nd4j.rand(DataType.FLOAT, 32, 10));
    graph.nn().softmax(graph.math().tanh(x.mmul(w)).mmul(v)).std("loss", false).markAsLoss();
    row("SameDiff gradients", () -> graph.calculateGradients(null, "w", "v"));
  }

  private void network(String name, MultiLayerConfiguration configuration, INDArray features, INDArray labels) {
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    DataSet data = new DataSet(features, labels);
    row("training " + name, () -> network.fit(data));
    row("output " + name, () -> network.output(features));
  }

  private static INDArray classes(int samples, int classes) {
    INDArray labels = Nd4j.zeros(DataType.FLOAT, samples, classes);
    for (int i = 0; i < samples; i++) labels.putScalar(i, i % classes, 1);
    return labels;
  }
}
