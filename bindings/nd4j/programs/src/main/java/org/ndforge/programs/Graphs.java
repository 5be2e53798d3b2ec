package org.ndforge.programs;

import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.nd4j.autodiff.listeners.records.History;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.adapter.SingletonDataSetIterator;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Conv2DConfig;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Pooling2DConfig;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.AdaBelief;
import org.nd4j.linalg.learning.config.AdaDelta;
import org.nd4j.linalg.learning.config.AdaGrad;
import org.nd4j.linalg.learning.config.AdaMax;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nadam;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.NoOp;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;

/** SameDiff: values and gradients of functions, training with each updater, saving and loading. */
final class Graphs {
  private Graphs() {}

  interface Function {
    SDVariable of(SameDiff sd, SDVariable x, SDVariable y);
  }

  static IUpdater[] updaters() {
    return new IUpdater[] {new Sgd(0.1), new Nesterovs(0.05, 0.9), new Adam(0.01), new AdaMax(0.01), new Nadam(0.01),
        new AMSGrad(0.01), new AdaGrad(0.1), new AdaDelta(), new RmsProp(0.01), new AdaBelief(0.01), new NoOp()};
  }

  static void run(Rows rows) {
    for (DataType type : new DataType[] {DataType.DOUBLE, DataType.FLOAT})
      functions().forEach((name, function) -> rows.row("function " + name + " " + type, () -> {
        SameDiff sd = SameDiff.create();
        SDVariable x = sd.var("x", ArrayCalls.numbers(type, 3, 4).mul(0.3));
        SDVariable y = sd.var("y", ArrayCalls.numbers(type, 3, 4).mul(0.5).addi(0.7));
        SDVariable z = function.of(sd, x, y);
        SDVariable loss = z.dataType().isFPType() ? z.mul(z).mean("loss") : null;
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("value", z.eval());
        if (loss != null) {
          loss.markAsLoss();
          Map<String, INDArray> gradients = sd.calculateGradients(null, "x", "y");
          all.put("gradients", List.of(gradients.get("x"), gradients.get("y") == null ? "none" : gradients.get("y")));
        }
        return all;
      }));
    for (IUpdater updater : updaters()) rows.row("train " + updater.getClass().getSimpleName(), () -> train(updater, 0, 0));
    // Not with l1 and l2 together: the original itself gives one of two losses, which differ from process to process.
    rows.row("save and load", () -> {
      SameDiff sd = perceptron();
      File file = File.createTempFile("graph", ".fb");
      sd.save(file, true);
      SameDiff loaded = SameDiff.load(file, true);
      Files.delete(file.toPath());
      return List.of(sd.output(Map.of("in", ArrayCalls.numbers(DataType.FLOAT, 5, 4)), "out").get("out"),
          loaded.output(Map.of("in", ArrayCalls.numbers(DataType.FLOAT, 5, 4)), "out").get("out"));
    });
    rows.row("control flow", () -> {
      SameDiff sd = SameDiff.create();
      SDVariable x = sd.var("x", Nd4j.scalar(1.0));
      SDVariable[] out = sd.whileLoop(new SDVariable[] {x}, (s, v) -> v[0].lt(100), (s, v) -> new SDVariable[] {v[0].mul(3)});
      return out[0].eval();
    });
    rows.row("condition", () -> {
      SameDiff sd = SameDiff.create();
      SDVariable x = sd.constant("x", Nd4j.scalar(4.0));
      return sd.ifCond(s -> x.gt(3), s -> x.mul(2), s -> x.neg()).eval();
    });
    rows.row("batch output", () -> perceptron().batchOutput().input("in", ArrayCalls.numbers(DataType.FLOAT, 2, 4))
        .output("out").outputSingle());
    rows.row("summary", () -> perceptron().summary().length() > 0);
    rows.row("convolution", () -> {
      SameDiff sd = SameDiff.create();
      SDVariable x = sd.var("x", ArrayCalls.numbers(DataType.DOUBLE, 2, 3, 8, 8));
      SDVariable w = sd.var("w", ArrayCalls.numbers(DataType.DOUBLE, 3, 3, 3, 4));
      SDVariable c = sd.cnn().conv2d(x, w, Conv2DConfig.builder().kH(3).kW(3).sH(1).sW(1).paddingMode(org.nd4j.linalg.api.ops.impl.layers.convolution.config.PaddingMode.SAME).build());
      SDVariable p = sd.cnn().maxPooling2d(sd.nn().relu(c, 0), Pooling2DConfig.builder().kH(2).kW(2).sH(2).sW(2).build());
      p.std("loss", true).markAsLoss();
      Map<String, INDArray> gradients = sd.calculateGradients(null, "x", "w");
      return List.of(p.eval(), gradients.get("x"), gradients.get("w"));
    });
  }

  private static SameDiff perceptron() {
    Nd4j.getRandom().setSeed(7);
    SameDiff sd = SameDiff.create();
    SDVariable in = sd.placeHolder("in", DataType.FLOAT, -1, 4);
    SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, 3);
    SDVariable w0 = sd.var("w0", Nd4j.randn(DataType.FLOAT, 4, 8).mul(0.5)), b0 = sd.var("b0", Nd4j.zeros(DataType.FLOAT, 8));
    SDVariable w1 = sd.var("w1", Nd4j.randn(DataType.FLOAT, 8, 3).mul(0.5)), b1 = sd.var("b1", Nd4j.zeros(DataType.FLOAT, 3));
    SDVariable hidden = sd.nn().tanh(in.mmul(w0).add(b0));
    SDVariable out = sd.nn().softmax("out", hidden.mmul(w1).add("logits", b1));
    sd.loss().softmaxCrossEntropy("loss", label, sd.getVariable("logits"), null).markAsLoss();
    return sd;
  }

  private static Object train(IUpdater updater, double l1, double l2) {
    SameDiff sd = perceptron();
    TrainingConfig.Builder config = new TrainingConfig.Builder().updater(updater).dataSetFeatureMapping("in")
        .dataSetLabelMapping("label");
    if (l1 > 0) config.l1(l1);
    if (l2 > 0) config.l2(l2);
    sd.setTrainingConfig(config.build());
    DataSet data = new DataSet(ArrayCalls.numbers(DataType.FLOAT, 12, 4), classes(12, 3));
    History history = sd.fit(new SingletonDataSetIterator(data), 10);
    List<Object> result = new ArrayList<>();
    result.add(history.lossCurve().getLossValues());
    result.add(sd.getVariable("w0").getArr());
    result.add(sd.getVariable("b1").getArr());
    return result;
  }

  static INDArray classes(int rows, int classes) {
    INDArray labels = Nd4j.zeros(DataType.FLOAT, rows, classes);
    for (int i = 0; i < rows; ++i) labels.putScalar(i, i * 5 % 7 % classes, 1);
    return labels;
  }

  private static Map<String, Function> functions() {
    Map<String, Function> all = new LinkedHashMap<>();
    all.put("add", (sd, x, y) -> x.add(y));
    all.put("sub", (sd, x, y) -> x.sub(y));
    all.put("mul", (sd, x, y) -> x.mul(y));
    all.put("div", (sd, x, y) -> x.div(y.add(9)));
    all.put("rsub", (sd, x, y) -> x.rsub(y));
    all.put("squaredDifference", (sd, x, y) -> x.squaredDifference(y));
    all.put("pow", (sd, x, y) -> sd.math().pow(sd.math().abs(x), 1.5));
    all.put("max", (sd, x, y) -> sd.math().max(x, y));
    all.put("min", (sd, x, y) -> sd.math().min(x, y));
    all.put("mmul", (sd, x, y) -> sd.mmul(x, y, false, true, false));
    all.put("exp", (sd, x, y) -> sd.math().exp(x));
    all.put("log", (sd, x, y) -> sd.math().log(sd.math().abs(x)));
    all.put("sqrt", (sd, x, y) -> sd.math().sqrt(sd.math().abs(x)));
    all.put("sin", (sd, x, y) -> sd.math().sin(x));
    all.put("tan", (sd, x, y) -> sd.math().tan(x));
    all.put("asinh", (sd, x, y) -> sd.math().asinh(x));
    all.put("atan2", (sd, x, y) -> sd.math().atan2(x, y));
    all.put("erf", (sd, x, y) -> sd.math().erf(x));
    all.put("abs", (sd, x, y) -> sd.math().abs(x));
    all.put("cumsum", (sd, x, y) -> sd.cumsum(x, 1));
    all.put("cumprod", (sd, x, y) -> sd.cumprod(x, 0));
    all.put("sum", (sd, x, y) -> x.sum(0));
    all.put("mean", (sd, x, y) -> x.mean(1));
    all.put("max of rows", (sd, x, y) -> x.max(1));
    all.put("norm1", (sd, x, y) -> x.norm1(0));
    all.put("norm2", (sd, x, y) -> x.norm2(1));
    all.put("normmax", (sd, x, y) -> x.normmax(1));
    all.put("prod", (sd, x, y) -> x.prod(1));
    all.put("variance", (sd, x, y) -> sd.variance(x, true, 1));
    all.put("standard deviation", (sd, x, y) -> sd.standardDeviation(x, false, 0));
    all.put("logSumExp", (sd, x, y) -> sd.math().logSumExp(x, 1));
    all.put("argmax", (sd, x, y) -> sd.argmax(x, 1));
    all.put("entropy", (sd, x, y) -> sd.math().entropy(sd.math().abs(x), 1));
    all.put("sigmoid", (sd, x, y) -> sd.nn().sigmoid(x));
    all.put("tanh", (sd, x, y) -> sd.nn().tanh(x));
    all.put("relu", (sd, x, y) -> sd.nn().relu(x, 0));
    all.put("relu6", (sd, x, y) -> sd.nn().relu6(x, 0));
    all.put("leakyRelu", (sd, x, y) -> sd.nn().leakyRelu(x, 0.1));
    all.put("elu", (sd, x, y) -> sd.nn().elu(x));
    all.put("selu", (sd, x, y) -> sd.nn().selu(x));
    all.put("gelu", (sd, x, y) -> sd.nn().gelu(x));
    all.put("preciseGelu", (sd, x, y) -> sd.nn().preciseGelu(x));
    all.put("swish", (sd, x, y) -> sd.nn().swish(x));
    all.put("softplus", (sd, x, y) -> sd.nn().softplus(x));
    all.put("softsign", (sd, x, y) -> sd.nn().softsign(x));
    all.put("hardTanh", (sd, x, y) -> sd.nn().hardTanh(x));
    all.put("hardSigmoid", (sd, x, y) -> sd.nn().hardSigmoid(x));
    all.put("softmax", (sd, x, y) -> sd.nn().softmax(x, 1));
    all.put("logSoftmax", (sd, x, y) -> sd.nn().logSoftmax(x, 1));
    all.put("logSigmoid", (sd, x, y) -> sd.nn().logSigmoid(x));
    all.put("layerNorm", (sd, x, y) -> sd.nn().layerNorm(x, sd.constant(Nd4j.ones(x.dataType(), 4)),
        sd.constant(Nd4j.zeros(x.dataType(), 4)), true, 1));
    all.put("linear", (sd, x, y) -> sd.nn().linear(x, sd.transpose(y), sd.constant(Nd4j.ones(x.dataType(), 3))));
    all.put("mish", (sd, x, y) -> sd.math().tanh(sd.nn().softplus(x)).mul(x));
    all.put("concat", (sd, x, y) -> sd.concat(1, x, y));
    all.put("stack", (sd, x, y) -> sd.stack(0, x, y));
    all.put("reshape", (sd, x, y) -> x.reshape(4, 3).mmul(y));
    all.put("permute", (sd, x, y) -> x.permute(1, 0).mmul(y));
    all.put("gather", (sd, x, y) -> sd.gather(x, new int[] {2, 0, 2}, 0));
    all.put("tile", (sd, x, y) -> sd.tile(x, 2, 1));
    all.put("slice", (sd, x, y) -> sd.slice(x, new int[] {1, 1}, 2, 2));
    all.put("strided slice", (sd, x, y) -> sd.stridedSlice(x, new long[] {0, 1}, new long[] {3, 4}, 2, 2));
    all.put("reverse", (sd, x, y) -> sd.reverse(x, 1));
    all.put("expandDims", (sd, x, y) -> sd.expandDims(x, 1));
    all.put("scatterAdd", (sd, x, y) -> sd.scatterAdd(x, sd.constant(Nd4j.createFromArray(2, 0, 1)), y));
    all.put("segmentSum", (sd, x, y) -> sd.segmentSum(x, sd.constant(Nd4j.createFromArray(0, 0, 1))));
    all.put("unsortedSegmentMax", (sd, x, y) -> sd.unsortedSegmentMax(x, sd.constant(Nd4j.createFromArray(1, 0, 1)), 2));
    all.put("dot", (sd, x, y) -> sd.dot(x, y, 1));
    all.put("cosineSimilarity", (sd, x, y) -> sd.math().cosineSimilarity(x, y, 1));
    all.put("euclideanDistance", (sd, x, y) -> sd.math().euclideanDistance(x, y, 1));
    all.put("manhattanDistance", (sd, x, y) -> sd.math().manhattanDistance(x, y, 1));
    all.put("clipByValue", (sd, x, y) -> sd.math().clipByValue(x, -0.5, 0.5));
    all.put("clipByNorm", (sd, x, y) -> sd.math().clipByNorm(x, 0.5, 1));
    all.put("gt", (sd, x, y) -> x.gt(y));
    all.put("where", (sd, x, y) -> sd.where(x, y, x.gt(y)));
    all.put("loss absolute", (sd, x, y) -> sd.loss().absoluteDifference(x, y, null));
    all.put("loss cosine", (sd, x, y) -> sd.loss().cosineDistance(x, y, null, 1));
    all.put("loss hinge", (sd, x, y) -> sd.loss().hingeLoss(x.gt(0).castTo(x.dataType()), y, null));
    all.put("loss huber", (sd, x, y) -> sd.loss().huberLoss(x, y, null, 0.7));
    all.put("loss log", (sd, x, y) -> sd.loss().logLoss(x.gt(0).castTo(x.dataType()), sd.nn().sigmoid(y)));
    all.put("loss logPoisson", (sd, x, y) -> sd.loss().logPoisson(sd.math().abs(x), y, null, false));
    all.put("loss meanSquared", (sd, x, y) -> sd.loss().meanSquaredError(x, y, null));
    all.put("loss pairwise", (sd, x, y) -> sd.loss().meanPairwiseSquaredError(x, y, sd.constant(Nd4j.scalar(x.dataType(), 1)), 
        org.nd4j.autodiff.loss.LossReduce.MEAN_BY_NONZERO_WEIGHT_COUNT));
    all.put("loss sigmoid", (sd, x, y) -> sd.loss().sigmoidCrossEntropy(x.gt(0).castTo(x.dataType()), y, null));
    all.put("loss softmax", (sd, x, y) -> sd.loss().softmaxCrossEntropy(sd.nn().softmax(x, 1), y, null));
    all.put("loss l2", (sd, x, y) -> sd.loss().l2Loss(x));
    return all;
  }
}
