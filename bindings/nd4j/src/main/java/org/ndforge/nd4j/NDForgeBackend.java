package org.ndforge.nd4j;

import org.nd4j.common.io.Resource;
import org.nd4j.linalg.cpu.nativecpu.CpuBackend;
import org.nd4j.linalg.factory.Environment;
import org.nd4j.linalg.factory.Nd4jBackend;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ND4J's CPU backend on NDForge.
 *
 * <p>ND4J finds this class with {@link java.util.ServiceLoader} and asks it before its own CPU backend. {@link
 * #isAvailable} loads NDForge's libraries in place of libnd4j's; everything else is the original backend, so that the
 * classes of ND4J stay what they are. {@code -Dndforge.backend=off} takes this backend out. Where it cannot run, it says
 * why in one line of the log, and ND4J goes on with its own.
 */
public final class NDForgeBackend extends Nd4jBackend {
  private static final Logger log = LoggerFactory.getLogger(NDForgeBackend.class);

  /** Set to {@code off} to run on libnd4j. */
  public static final String SWITCH = "ndforge.backend";

  /** Above the CPU backend of ND4J and below the one for GPUs. */
  @Override
  public int getPriority() {
    return BACKEND_PRIORITY_CPU + 10;
  }

  @Override
  public boolean isAvailable() {
    if ("off".equalsIgnoreCase(System.getProperty(SWITCH))) return false;
    try {
      log.info("ND4J runs on {}", NativeLibraries.load());
      return true;
    } catch (NativeLibraries.Unavailable e) {
      log.warn("ND4J does not run on NDForge: {}", e.getMessage());
    } catch (LinkageError | RuntimeException e) {
      log.warn("ND4J does not run on NDForge: {}", e.toString());
    }
    return false;
  }

  @Override
  public boolean canRun() {
    return true;
  }

  @Override
  public boolean allowsOrder() {
    return original().allowsOrder();
  }

  @Override
  public Resource getConfigurationResource() {
    return original().getConfigurationResource();
  }

  @Override
  public Class getNDArrayClass() {
    return original().getNDArrayClass();
  }

  @Override
  public Environment getEnvironment() {
    return original().getEnvironment();
  }

  @Override
  public String buildInfo() {
    return original().buildInfo();
  }

  @Override
  public void logBackendInit() {
    original().logBackendInit();
  }

  /** Made when it is needed: without ND4J's CPU backend on the class path, this class can still be loaded and asked. */
  private static CpuBackend original() {
    return new CpuBackend();
  }
}
