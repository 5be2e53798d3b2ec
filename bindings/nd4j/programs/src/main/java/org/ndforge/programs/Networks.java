package org.ndforge.programs;

import java.io.File;
import java.nio.file.Files;
import java.util.List;

import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.saver.InMemoryModelSaver;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.ElementWiseVertex;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.transferlearning.FineTuneConfiguration;
import org.deeplearning4j.nn.transferlearning.TransferLearning;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.ROC;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerMinMaxScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Whole networks of Deeplearning4j: training, saving and loading, early stopping, transfer learning, evaluation. */
final class Networks {
  private Networks() {}

  static void run(Rows rows) {
    rows.row("perceptron", () -> Layers.trained(perceptron(), x(), y()));
    rows.row("perceptron in half precision", () -> Layers.trained(perceptron(DataType.HALF), x().castTo(DataType.HALF),
        y().castTo(DataType.HALF)));
    rows.row("LeNet", () -> Layers.trained(lenet(), ArrayCalls.numbers(DataType.FLOAT, 8, 1, 14, 14).mul(0.2), Graphs.classes(8, 3)));
    rows.row("recurrent", () -> Layers.trained(new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(0.01)).list()
        .layer(new LSTM.Builder().nIn(3).nOut(5).build())
        .layer(new RnnOutputLayer.Builder(LossFunction.MCXENT).nIn(5).nOut(3).activation(Activation.SOFTMAX).build()).build(),
        ArrayCalls.numbers(DataType.FLOAT, 4, 3, 6).mul(0.2), Graphs.classes(24, 3).reshape(4, 6, 3).permute(0, 2, 1).dup()));
    rows.row("time steps", () -> {
      MultiLayerNetwork network = new MultiLayerNetwork(new NeuralNetConfiguration.Builder().seed(7).list()
          .layer(new LSTM.Builder().nIn(3).nOut(5).build())
          .layer(new RnnOutputLayer.Builder(LossFunction.MSE).nIn(5).nOut(3).activation(Activation.IDENTITY).build()).build());
      network.init();
      network.rnnTimeStep(ArrayCalls.numbers(DataType.FLOAT, 2, 3));
      return network.rnnTimeStep(ArrayCalls.numbers(DataType.FLOAT, 2, 3).add(1));
    });
    rows.row("graph", () -> {
      ComputationGraph graph = new ComputationGraph(graph());
      graph.init();
      for (int i = 0; i < 5; ++i) graph.fit(new DataSet(x(), y()));
      return List.of(graph.score(), graph.params(), graph.outputSingle(x()));
    });
    rows.row("save and load", () -> {
      MultiLayerNetwork network = fitted();
      File file = File.createTempFile("network", ".zip");
      ModelSerializer.writeModel(network, file, true);
      MultiLayerNetwork loaded = MultiLayerNetwork.load(file, true);
      Files.delete(file.toPath());
      network.fit(new DataSet(x(), y()));
      loaded.fit(new DataSet(x(), y()));
      return List.of(network.params(), loaded.params(), loaded.params().equals(network.params()));
    });
    rows.row("save and load a graph", () -> {
      ComputationGraph graph = new ComputationGraph(graph());
      graph.init();
      graph.fit(new DataSet(x(), y()));
      File file = File.createTempFile("graph", ".zip");
      graph.save(file, true);
      ComputationGraph loaded = ComputationGraph.load(file, true);
      Files.delete(file.toPath());
      return List.of(graph.outputSingle(x()), loaded.outputSingle(x()));
    });
    rows.row("json", () -> MultiLayerConfiguration.fromJson(perceptron().toJson()).equals(perceptron()));
    rows.row("early stopping", () -> {
      MultiLayerNetwork network = new MultiLayerNetwork(perceptron());
      ListDataSetIterator<DataSet> data = new ListDataSetIterator<>(new DataSet(x(), y()).asList(), 4);
      EarlyStoppingConfiguration<MultiLayerNetwork> conf = new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
          .epochTerminationConditions(new MaxEpochsTerminationCondition(4)).evaluateEveryNEpochs(1)
          .scoreCalculator(new DataSetLossCalculator(data, true)).modelSaver(new InMemoryModelSaver<>()).build();
      var result = new EarlyStoppingTrainer(conf, network, data).fit();
      return List.of(result.getBestModelEpoch(), result.getBestModelScore(), result.getBestModel().params());
    });
    rows.row("transfer learning", () -> {
      MultiLayerNetwork transferred = new TransferLearning.Builder(fitted())
          .fineTuneConfiguration(new FineTuneConfiguration.Builder().updater(new Adam(0.02)).seed(9).build())
          .setFeatureExtractor(0).removeOutputLayer()
          .addLayer(new OutputLayer.Builder(LossFunction.MCXENT).nIn(6).nOut(2).activation(Activation.SOFTMAX).build()).build();
      for (int i = 0; i < 3; ++i) transferred.fit(new DataSet(x(), Graphs.classes(12, 2)));
      return List.of(transferred.score(), transferred.params());
    });
    rows.row("evaluation", () -> {
      Evaluation evaluation = new Evaluation(3);
      evaluation.eval(y(), fitted().output(x()));
      return evaluation.stats();
    });
    rows.row("regression", () -> {
      RegressionEvaluation evaluation = new RegressionEvaluation(3);
      evaluation.eval(y(), fitted().output(x()));
      return List.of(evaluation.averageMeanSquaredError(), evaluation.averageRSquared(), evaluation.averagePearsonCorrelation());
    });
    rows.row("roc", () -> {
      ROC roc = new ROC(0);
      roc.eval(y().getColumn(0).reshape(12, 1), fitted().output(x()).getColumn(0).reshape(12, 1));
      return List.of(roc.calculateAUC(), roc.calculateAUCPR());
    });
    rows.row("feed forward", () -> fitted().feedForward(x()));
    rows.row("score of examples", () -> fitted().scoreExamples(new DataSet(x(), y()), true));
    rows.row("gradient", () -> {
      MultiLayerNetwork network = fitted();
      network.computeGradientAndScore();
      return network.gradient().gradient();
    });
    rows.row("standardize", () -> {
      DataSet data = new DataSet(x(), y());
      NormalizerStandardize normalizer = new NormalizerStandardize();
      normalizer.fit(data);
      normalizer.transform(data);
      return List.of(data.getFeatures(), normalizer.getMean(), normalizer.getStd());
    });
    rows.row("minimum and maximum", () -> {
      DataSet data = new DataSet(x(), y());
      NormalizerMinMaxScaler normalizer = new NormalizerMinMaxScaler(-1, 1);
      normalizer.fit(data);
      normalizer.transform(data);
      return data.getFeatures();
    });
    rows.row("shuffled batches", () -> {
      DataSet data = new DataSet(x(), y());
      data.shuffle(5);
      return List.of(data.getFeatures(), data.getLabels());
    });
    rows.row("split", () -> new DataSet(x(), y()).splitTestAndTrain(8).getTest().getFeatures());
  }

  private static INDArray x() {
    return ArrayCalls.numbers(DataType.FLOAT, 12, 4).mul(0.3);
  }

  private static INDArray y() {
    return Graphs.classes(12, 3);
  }

  private static MultiLayerNetwork fitted() {
    MultiLayerNetwork network = new MultiLayerNetwork(perceptron());
    network.init();
    for (int i = 0; i < 5; ++i) network.fit(new DataSet(x(), y()));
    return network;
  }

  private static MultiLayerConfiguration perceptron() {
    return perceptron(DataType.FLOAT);
  }

  private static MultiLayerConfiguration perceptron(DataType type) {
    return new NeuralNetConfiguration.Builder().seed(7).dataType(type).updater(new Adam(0.01)).list()
        .layer(new DenseLayer.Builder().nIn(4).nOut(6).activation(Activation.TANH).build())
        .layer(new OutputLayer.Builder(LossFunction.MCXENT).nIn(6).nOut(3).activation(Activation.SOFTMAX).build()).build();
  }

  private static MultiLayerConfiguration lenet() {
    return new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(0.005)).l2(1e-4).list()
        .layer(new ConvolutionLayer.Builder(3, 3).nOut(4).activation(Activation.RELU).build())
        .layer(new BatchNormalization())
        .layer(new SubsamplingLayer.Builder(new int[] {2, 2}, new int[] {2, 2}).build())
        .layer(new ConvolutionLayer.Builder(3, 3).nOut(6).activation(Activation.RELU).build())
        .layer(new DenseLayer.Builder().nOut(10).activation(Activation.RELU).build())
        .layer(new OutputLayer.Builder(LossFunction.NEGATIVELOGLIKELIHOOD).nOut(3).activation(Activation.SOFTMAX).build())
        .setInputType(InputType.convolutional(14, 14, 1)).build();
  }

  private static ComputationGraphConfiguration graph() {
    return new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(0.01)).graphBuilder().addInputs("in")
        .addLayer("a", new DenseLayer.Builder().nIn(4).nOut(5).activation(Activation.TANH).build(), "in")
        .addLayer("b", new DenseLayer.Builder().nIn(4).nOut(5).activation(Activation.RELU).build(), "in")
        .addVertex("sum", new ElementWiseVertex(ElementWiseVertex.Op.Add), "a", "b")
        .addVertex("merge", new MergeVertex(), "sum", "a")
        .addLayer("out", new OutputLayer.Builder(LossFunction.MCXENT).nIn(10).nOut(3).activation(Activation.SOFTMAX).build(), "merge")
        .setOutputs("out").build();
  }
}
