package org.ndforge;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Map;
import org.ndforge.internal.NativeGraphs;

/** Trains the parameters of a graph: {@link Graph#trainer}. One thread at a time makes steps. */
public final class Trainer implements AutoCloseable {
  private final Owned trainer;

  Trainer(long pointer) {
    trainer = Owned.by(this, "trainer", pointer, NativeGraphs::deleteTrainer);
  }

  /**
   * One step: computes the loss, and updates the parameters.
   *
   * @param feeds arrays by the names of placeholders
   * @return the loss before the update
   * @throws NDForgeException when the step fails; nothing has changed then
   */
  public double step(Map<String, NDArray> feeds) {
    return Memory.retried(
        () -> {
          trainer.acquire();
          try (Feeds given = new Feeds(feeds)) {
            double loss =
                NativeGraphs.trainerStep(trainer.pointer, given.names, given.buffers, given.layouts, given.count);
            NDForgeException.check();
            return loss;
          } finally {
            trainer.release();
          }
        });
  }

  private interface FileUse {
    int apply(long pointer, long path);
  }

  private void withFile(Path file, FileUse use) {
    Check.given(file, "file");
    trainer.acquire();
    try (Arena arena = Arena.ofConfined()) {
      if (use.apply(trainer.pointer, arena.allocateFrom(file.toString()).address()) != 0) {
        throw NDForgeException.stored(NDForgeException.ERROR);
      }
    } finally {
      trainer.release();
    }
  }

  /**
   * The number of steps so far.
   *
   * @return the number
   */
  public long steps() {
    trainer.acquire();
    try {
      return NativeGraphs.getTrainerSteps(trainer.pointer);
    } finally {
      trainer.release();
    }
  }

  /**
   * Writes parameters and states, completely or not at all. A trainer that loads the file goes on with the same bits.
   *
   * @param checkpoint a .npz file
   */
  public void save(Path checkpoint) {
    withFile(checkpoint, NativeGraphs::saveTrainer);
  }

  /**
   * Reads what {@link #save} wrote.
   *
   * @param checkpoint a .npz file
   * @throws NDForgeException for files of other trainers; nothing has changed then
   */
  public void load(Path checkpoint) {
    withFile(checkpoint, NativeGraphs::loadTrainer);
  }

  /**
   * Writes the graph as it was before the trainer was made, with the parameters as they are now.
   *
   * @param file a .fb file
   */
  public void saveGraph(Path file) {
    withFile(file, NativeGraphs::saveTrainedModel);
  }

  /** Frees the trainer. */
  @Override
  public void close() {
    trainer.close();
  }
}
