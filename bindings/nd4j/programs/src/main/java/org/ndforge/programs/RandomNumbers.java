package org.ndforge.programs;

import java.util.LinkedHashMap;
import java.util.Map;

import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.random.impl.AlphaDropOut;
import org.nd4j.linalg.api.ops.random.impl.BernoulliDistribution;
import org.nd4j.linalg.api.ops.random.impl.BinomialDistribution;
import org.nd4j.linalg.api.ops.random.impl.BinomialDistributionEx;
import org.nd4j.linalg.api.ops.random.impl.Choice;
import org.nd4j.linalg.api.ops.random.impl.DropOut;
import org.nd4j.linalg.api.ops.random.impl.DropOutInverted;
import org.nd4j.linalg.api.ops.random.impl.GaussianDistribution;
import org.nd4j.linalg.api.ops.random.impl.Linspace;
import org.nd4j.linalg.api.ops.random.impl.LogNormalDistribution;
import org.nd4j.linalg.api.ops.random.impl.ProbablisticMerge;
import org.nd4j.linalg.api.ops.random.impl.TruncatedNormalDistribution;
import org.nd4j.linalg.api.ops.random.impl.UniformDistribution;
import org.nd4j.linalg.factory.Nd4j;

/** Random numbers after a seed: the same on both, for several lengths because they are made in parallel. */
final class RandomNumbers {
  private RandomNumbers() {}

  private interface Draw {
    Object of(DataType type, long length);
  }

  static void run(Rows rows) {
    Map<String, Draw> draws = new LinkedHashMap<>();
    draws.put("rand", (type, n) -> Nd4j.rand(type, n));
    draws.put("randn", (type, n) -> Nd4j.randn(type, n));
    draws.put("uniform", (type, n) -> Nd4j.getExecutioner().exec(new UniformDistribution(Nd4j.create(type, n), -2, 5)));
    draws.put("gaussian", (type, n) -> Nd4j.getExecutioner().exec(new GaussianDistribution(Nd4j.create(type, n), 3, 0.5)));
    draws.put("bernoulli", (type, n) -> Nd4j.getExecutioner().exec(new BernoulliDistribution(Nd4j.create(type, n), 0.3)));
    draws.put("binomial", (type, n) -> Nd4j.getExecutioner().exec(new BinomialDistribution(Nd4j.create(type, n), 10, 0.3)));
    draws.put("binomialEx", (type, n) -> Nd4j.getExecutioner().exec(new BinomialDistributionEx(Nd4j.create(type, n), 10, 0.3)));
    draws.put("log normal", (type, n) -> Nd4j.getExecutioner().exec(new LogNormalDistribution(Nd4j.create(type, n), 0.5, 0.25)));
    draws.put("truncated", (type, n) -> Nd4j.getExecutioner().exec(new TruncatedNormalDistribution(Nd4j.create(type, n), 1, 2)));
    draws.put("linspace", (type, n) -> Nd4j.getExecutioner().exec(new Linspace(1.0, 5.0, n, type)));
    draws.put("dropout", (type, n) -> Nd4j.getExecutioner().exec(new DropOut(Nd4j.ones(type, n), 0.4)));
    draws.put("dropout inverted", (type, n) -> Nd4j.getExecutioner().exec(new DropOutInverted(Nd4j.ones(type, n), 0.4)));
    draws.put("alpha dropout", (type, n) -> Nd4j.getExecutioner().exec(new AlphaDropOut(Nd4j.ones(type, n), 0.4, 1.5, 0.25, 0.5)));
    draws.put("merge", (type, n) -> Nd4j.getExecutioner().exec(new ProbablisticMerge(Nd4j.ones(type, n), Nd4j.zeros(type, n),
        Nd4j.create(type, n), 0.4)));
    draws.put("choice", (type, n) -> Nd4j.getExecutioner().exec(new Choice(Nd4j.createFromArray(1.0, 2.0, 3.0).castTo(type),
        Nd4j.createFromArray(0.2, 0.3, 0.5).castTo(type), Nd4j.create(type, n))));
    draws.put("second draw", (type, n) -> {
      Nd4j.rand(type, n);
      return Nd4j.rand(type, n);
    });
    draws.put("reseeded", (type, n) -> {
      INDArray first = Nd4j.rand(type, n);
      Nd4j.getRandom().setSeed(7);
      return first.equals(Nd4j.rand(type, n));
    });
    for (DataType type : new DataType[] {DataType.DOUBLE, DataType.FLOAT, DataType.HALF})
      for (long length : new long[] {1, 10, 1000, 100001})
        draws.forEach((name, draw) -> rows.row(name + " " + type + " " + length, () -> draw.of(type, length)));
    rows.row("nextInt", () -> new int[] {Nd4j.getRandom().nextInt(), Nd4j.getRandom().nextInt(100), Nd4j.getRandom().nextInt()});
    rows.row("nextDouble", () -> new double[] {Nd4j.getRandom().nextDouble(), Nd4j.getRandom().nextGaussian(),
        Nd4j.getRandom().nextFloat()});
    rows.row("nextLong", () -> new long[] {Nd4j.getRandom().nextLong(), Nd4j.getRandom().nextLong()});
    rows.row("randomBernoulli", () -> Nd4j.randomBernoulli(0.3, 4, 5));
    rows.row("rand f", () -> Nd4j.rand('f', 4, 5));
    rows.row("randn f", () -> Nd4j.randn('f', 4, 5));
    rows.row("normal after uniform", () -> {
      Nd4j.rand(DataType.FLOAT, 33);
      return Nd4j.randn(DataType.FLOAT, 33);
    });
    rows.row("sample", () -> Nd4j.getDistributions().createNormal(2, 3).sample(new int[] {3, 4}));
    rows.row("sample uniform", () -> Nd4j.getDistributions().createUniform(2, 3).sample(new int[] {3, 4}));
    rows.row("sample binomial", () -> Nd4j.getDistributions().createBinomial(9, 0.3).sample(new int[] {3, 4}));
    rows.row("sample orthogonal", () -> Nd4j.getDistributions().createOrthogonal(1.5).sample(new int[] {3, 4}));
    rows.row("sample constant", () -> Nd4j.getDistributions().createConstant(1.5).sample(new int[] {3, 4}));
    rows.row("sample truncated", () -> Nd4j.getDistributions().createTruncatedNormal(1, 2).sample(new int[] {3, 4}));
    rows.row("sample log normal", () -> Nd4j.getDistributions().createLogNormal(1, 2).sample(new int[] {3, 4}));
    for (String op : new String[] {"normal", "uniform", "logNormal", "normalTruncated"})
      rows.row("namespace " + op, () -> {
        switch (op) {
          case "normal": return Nd4j.random().normal(1, 2, DataType.FLOAT, 3, 4);
          case "uniform": return Nd4j.random().uniform(1, 2, DataType.FLOAT, 3, 4);
          case "logNormal": return Nd4j.random().logNormal(1, 2, DataType.FLOAT, 3, 4);
          default: return Nd4j.random().normalTruncated(1, 2, DataType.FLOAT, 3, 4);
        }
      });
    rows.row("namespace exponential", () -> Nd4j.random().exponential(1.5, DataType.FLOAT, 3, 4));
    rows.row("namespace bernoulli", () -> Nd4j.random().bernoulli(0.4, DataType.FLOAT, 3, 4));
    rows.row("namespace binomial", () -> Nd4j.random().binomial(5, 0.4, DataType.FLOAT, 3, 4));
  }
}
