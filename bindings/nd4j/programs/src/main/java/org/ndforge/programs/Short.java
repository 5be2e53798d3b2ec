package org.ndforge.programs;

import java.util.List;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.ops.transforms.Transforms;

/** A little of everything, in seconds: `compare.sh --short`. */
final class Short {
  private Short() {}

  static void run(Rows rows) {
    INDArray x = ArrayCalls.numbers(DataType.FLOAT, 3, 4);
    rows.row("text", () -> x.toString());
    rows.row("arithmetic", () -> x.mul(2).addi(1).rsub(3).div(x));
    rows.row("product", () -> x.mmul(x.transpose()));
    rows.row("reductions", () -> List.of(x.sum(0), x.std(1), x.argMax(1), x.norm2()));
    rows.row("transforms", () -> List.of(Transforms.tanh(x), Transforms.softmax(x), Transforms.round(x)));
    rows.row("views", () -> x.dup('f').getColumn(2).addi(x.getColumn(1)));
    for (DataType type : ArrayCalls.TYPES) rows.row("cast " + type, () -> x.castTo(type));
    rows.row("random", () -> List.of(Nd4j.rand(DataType.FLOAT, 5), Nd4j.randn('f', 2, 3)));
    rows.row("custom", () -> Nd4j.exec(DynamicCustomOp.builder("top_k").addInputs(x).addIntegerArguments(2, 1).build()));
    rows.row("error", () -> Nd4j.exec(DynamicCustomOp.builder("matmul").addInputs(x, x).build()));
    rows.row("npy", () -> Nd4j.createNpyFromByteArray(Nd4j.toNpyByteArray(x)));
    rows.row("strings", () -> Nd4j.create("one", "two"));
    rows.row("graph", () -> {
      SameDiff sd = SameDiff.create();
      SDVariable w = sd.var("w", x);
      sd.nn().tanh(w.mul(w)).mean("loss").markAsLoss();
      return sd.calculateGradients(null, "w").get("w");
    });
    rows.row("network", () -> Layers.trained(new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(0.01)).list()
        .layer(new DenseLayer.Builder().nIn(4).nOut(5).activation(Activation.RELU).build())
        .layer(new OutputLayer.Builder(LossFunction.MCXENT).nIn(5).nOut(3).activation(Activation.SOFTMAX).build()).build(),
        x, Graphs.classes(3, 3)));
  }
}
