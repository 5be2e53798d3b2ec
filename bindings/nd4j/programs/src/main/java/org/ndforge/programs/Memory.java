package org.ndforge.programs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.AllocationPolicy;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.memory.enums.SpillPolicy;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.ops.transforms.Transforms;
import org.nd4j.serde.binary.BinarySerde;

/** Workspaces, closed arrays, eight threads, files and strings. */
final class Memory {
  private Memory() {}

  static void run(Rows rows) {
    for (LearningPolicy learning : new LearningPolicy[] {LearningPolicy.FIRST_LOOP, LearningPolicy.OVER_TIME, LearningPolicy.NONE})
      for (SpillPolicy spill : new SpillPolicy[] {SpillPolicy.EXTERNAL, SpillPolicy.REALLOCATE})
        rows.row("workspace " + learning + " " + spill, () -> {
          WorkspaceConfiguration conf = WorkspaceConfiguration.builder().initialSize(1 << 14).policyLearning(learning)
              .policySpill(spill).policyAllocation(AllocationPolicy.OVERALLOCATE).overallocationLimit(1.5).build();
          INDArray result = Nd4j.zeros(DataType.DOUBLE, 4, 4);
          for (int i = 0; i < 20; ++i)
            try (MemoryWorkspace space = Nd4j.getWorkspaceManager().getAndActivateWorkspace(conf, "ROWS " + learning + spill)) {
              INDArray x = ArrayCalls.numbers(DataType.DOUBLE, 4, 30 + i);
              result.addi(x.mmul(x.transpose()));
            }
          return result;
        });
    rows.row("leverage", () -> {
      INDArray kept;
      try (MemoryWorkspace space = Nd4j.getWorkspaceManager().getAndActivateWorkspace("LEVERAGE")) {
        kept = ArrayCalls.numbers(DataType.FLOAT, 3, 3).add(1).detach();
      }
      return kept;
    });
    rows.row("close", () -> {
      double sum = 0;
      for (int i = 0; i < 200; ++i) {
        INDArray x = ArrayCalls.numbers(DataType.FLOAT, 10, 10), y = x.add(i);
        sum += y.sumNumber().doubleValue();
        y.close();
        x.argMax(1).close();
      }
      return sum;
    });
    rows.row("closed", () -> {
      INDArray x = Nd4j.ones(3);
      x.close();
      return x.add(1);
    });
    rows.row("close twice", () -> {
      INDArray x = ArrayCalls.numbers(DataType.FLOAT, 3, 3);
      x.argMax(1).close();
      x.argMax(1).close();
      return x.wasClosed();
    });
    rows.row("eight threads", () -> {
      ExecutorService threads = Executors.newFixedThreadPool(8);
      List<Future<INDArray>> results = new ArrayList<>();
      for (int k = 0; k < 8; ++k) {
        int number = k;
        results.add(threads.submit(() -> {
          INDArray sum = Nd4j.zeros(DataType.DOUBLE, 5);
          for (int i = 0; i < 200; ++i) {
            INDArray x = ArrayCalls.numbers(DataType.DOUBLE, 6, 5).addi(number);
            sum.addi(Transforms.softmax(x.mmul(x.transpose()).mmul(x)).sum(0).mul(i % 3)).addi(x.max(0)).addi(x.std(0));
          }
          return sum;
        }));
      }
      List<INDArray> all = new ArrayList<>();
      for (Future<INDArray> result : results) all.add(result.get());
      threads.shutdown();
      return all;
    });
    for (DataType type : ArrayCalls.TYPES) {
      if (type != DataType.BFLOAT16)
        rows.row("npy " + type, () -> {
          File file = File.createTempFile("array", ".npy");
          Nd4j.writeAsNumpy(ArrayCalls.numbers(type, 3, 4), file);
          INDArray loaded = Nd4j.createFromNpyFile(file);
          byte[] bytes = Files.readAllBytes(file.toPath());
          Files.delete(file.toPath());
          return List.of(loaded, bytes.length, new String(bytes, 6, 60, java.nio.charset.StandardCharsets.ISO_8859_1).trim());
        });
      rows.row("npy bytes " + type, () -> Nd4j.createNpyFromByteArray(Nd4j.toNpyByteArray(ArrayCalls.numbers(type, 2, 3, 2))));
      rows.row("npy f " + type, () -> Nd4j.createNpyFromByteArray(Nd4j.toNpyByteArray(ArrayCalls.numbers(type, 3, 4).dup('f'))));
      rows.row("stream " + type, () -> {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Nd4j.write(ArrayCalls.numbers(type, 3, 4).transpose(), new DataOutputStream(out));
        return List.of(out.size(), Nd4j.read(new DataInputStream(new ByteArrayInputStream(out.toByteArray()))));
      });
      // Of the other types the original reads back memory that is not the array's.
      if (type.isFPType() && type != DataType.BFLOAT16 || type.isSigned() && type.isIntType() || type == DataType.UBYTE)
        rows.row("serde " + type, () -> BinarySerde.toArray(BinarySerde.toByteBuffer(ArrayCalls.numbers(type, 3, 4))));
      rows.row("flat " + type, () -> Nd4j.createFromFlatArray(org.nd4j.graph.FlatArray.getRootAsFlatArray(
          ByteBuffers.of(ArrayCalls.numbers(type, 3, 4)))));
    }
    rows.row("strings", () -> Nd4j.create("one", "two words", "", "Grüße", "日本"));
    rows.row("strings dup", () -> Nd4j.create("one", "two words", "Grüße").dup());
    rows.row("strings reshaped", () -> Nd4j.create(Arrays.asList("a", "bc", "def", "g"), 2, 2).getString(3));
    rows.row("string scalar", () -> Nd4j.scalar("scalar"));
    rows.row("strings equal", () -> Nd4j.create("a", "b").equals(Nd4j.create("a", "b")));
    rows.row("strings stream", () -> {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Nd4j.write(Nd4j.create("one", "two"), new DataOutputStream(out));
      return Nd4j.read(new DataInputStream(new ByteArrayInputStream(out.toByteArray())));
    });
  }

  private static final class ByteBuffers {
    static java.nio.ByteBuffer of(INDArray array) {
      com.google.flatbuffers.FlatBufferBuilder builder = new com.google.flatbuffers.FlatBufferBuilder(1024);
      builder.finish(array.toFlatArray(builder));
      return builder.dataBuffer();
    }
  }
}
