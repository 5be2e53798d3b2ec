// Settings of the process: read once from environment variables; they can be changed while the program runs.
#ifndef NDFORGE_SYSTEM_ENVIRONMENT_H
#define NDFORGE_SYSTEM_ENVIRONMENT_H

#include <array/DataType.h>
#include <system/common.h>
#include <types/pair.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace sd {

/// Reading a setting costs one relaxed load; any thread may read and write.
///
/// Environment variables:
/// OMP_NUM_THREADS sets maxThreads and maxMasterThreads, SD_MAX_THREADS sets maxThreads, SD_MASTER_THREADS sets
/// maxMasterThreads; SD_MAX_PRIMARY_BYTES, SD_MAX_SPECIAL_BYTES and SD_MAX_DEVICE_BYTES set the memory limits. A value
/// that is not a positive integer is ignored.
/// SD_FORBID_HELPERS and SD_BLAS_FALLBACK take effect when they are set, whatever their value.
class SD_LIB_EXPORT Environment {
 public:
  static Environment& getInstance();

  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  /// Whether arrays of different types can be added, multiplied and so on: they can, see array/TypePromotion.h. In
  /// libnd4j this is fixed when the library is built.
  static constexpr bool isExperimentalBuild() { return true; }
  /// Whether the operations of the registry give the common type of two arrays, not the type of the first; fixed when
  /// the library is built.
  static constexpr bool operationsPromoteTypes() {
#ifdef SD_EXPERIMENTAL_ENABLED
    return true;
#else
    return false;
#endif
  }
  static constexpr bool isCPU() { return true; }

  bool isDebug() const { return get(_debug); }
  void setDebug(bool value) { set(_debug, value); }
  bool isVerbose() const { return get(_verbose); }
  void setVerbose(bool value) { set(_verbose, value); }
  bool isDebugAndVerbose() const { return isDebug() && isVerbose(); }
  bool isProfiling() const { return get(_profiling); }
  void setProfiling(bool value) { set(_profiling, value); }
  bool isDetectingLeaks() const { return get(_leaks); }
  void setLeaksDetector(bool value) { set(_leaks, value); }

  /// Minimum number of elements at which work is split over threads. Values below 1 are ignored.
  int elementwiseThreshold() const { return get(_elementThreshold); }
  void setElementwiseThreshold(int value) { setPositive(_elementThreshold, value); }
  /// Minimum number of sub-arrays at which work is split over threads. Values below 1 are ignored.
  int tadThreshold() const { return get(_tadThreshold); }
  void setTadThreshold(int value) { setPositive(_tadThreshold, value); }

  /// Maximum number of threads of the library; fixed when the library is loaded.
  int maxThreads() const { return get(_maxThreads); }
  void setMaxThreads(int) {}
  /// Maximum number of threads of one call, 1 to maxThreads. Values below 1 are ignored, values above maxThreads are
  /// reduced to it.
  int maxMasterThreads() const { return get(_maxMasterThreads); }
  void setMaxMasterThreads(int value);

  /// If true, operations on two real types, or on two types that are not real, return the type with the larger number
  /// instead of the first operand's type.
  bool precisionBoostAllowed() const { return get(_precisionBoost); }
  void allowPrecisionBoost(bool value) { set(_precisionBoost, value); }

  DataType defaultFloatDataType() const { return get(_defaultFloat); }
  /// FLOAT32, DOUBLE, HALF or BFLOAT16; anything else throws std::runtime_error.
  void setDefaultFloatDataType(DataType value);

  /// Whether platform helpers may run in place of an operation's own implementation.
  bool helpersAllowed() const { return get(_helpers); }
  void allowHelpers(bool value) { set(_helpers, value); }
  bool isUseONEDNN() const { return get(_oneDnn); }
  void setUseONEDNN(bool value) { set(_oneDnn, value); }
  /// Whether the external BLAS must not be used.
  bool blasFallback() const { return get(_blasFallback); }
  /// 0, unless a program set it.
  int blasMajorVersion() const { return get(_blasVersion[0]); }
  int blasMinorVersion() const { return get(_blasVersion[1]); }
  int blasPatchVersion() const { return get(_blasVersion[2]); }

  /// Limits in bytes; no limit when all bits are set.
  uint64_t maxPrimaryMemory() const { return get(_maxPrimary); }
  void setMaxPrimaryMemory(uint64_t bytes) { set(_maxPrimary, bytes); }
  uint64_t maxSpecialMemory() const { return get(_maxSpecial); }
  void setMaxSpecialyMemory(uint64_t bytes) { set(_maxSpecial, bytes); }
  uint64_t maxDeviceMemory() const { return get(_maxDevice); }
  void setMaxDeviceMemory(uint64_t bytes) { set(_maxDevice, bytes); }

  // Forwarded to memory::MemoryCounter. A group is the number of a memory::MemoryType; other numbers throw
  // std::runtime_error.
  void setDeviceLimit(int device, LongType bytes);
  void setGroupLimit(int group, LongType bytes);
  LongType getDeviceLimit(int device);
  LongType getGroupLimit(int group);
  LongType getDeviceCounter(int device);
  LongType getGroupCounter(int group);

  /// Compute capabilities of the devices; empty on a CPU.
  std::vector<Pair>& capabilities();
  void setVedaDeviceDir(const std::string&) {}

 private:
  template <typename T>
  using Setting = std::atomic<T>;
  static constexpr uint64_t NO_LIMIT = ~uint64_t{0};

  // The object is constant-initialised, so that static initialisers in other files may use it; `load` runs before them.
  constexpr Environment() = default;
  void load();
  friend struct EnvironmentLoader;

  template <typename T>
  static T get(const Setting<T>& setting) {
    return setting.load(std::memory_order_relaxed);
  }
  template <typename T>
  static void set(Setting<T>& setting, T value) {
    setting.store(value, std::memory_order_relaxed);
  }
  static void setPositive(Setting<int>& setting, int value) {
    if (value > 0) set(setting, value);
  }

  Setting<int> _elementThreshold{1024};
  Setting<int> _tadThreshold{1};
  Setting<int> _maxThreads{1};
  Setting<int> _maxMasterThreads{1};
  Setting<bool> _debug{false};
  // ND4J's JNI library reads and writes _oneDnn and the version of BLAS itself, in the places that libnd4j has.
  Setting<bool> _oneDnn{true};
  Setting<bool> _verbose{false};
  Setting<bool> _profiling{false};
  Setting<bool> _leaks{false};
  Setting<bool> _precisionBoost{false};
  Setting<bool> _helpers{true};
  Setting<bool> _blasFallback{false};
  Setting<DataType> _defaultFloat{FLOAT32};
  Setting<uint64_t> _maxPrimary{NO_LIMIT};
  Setting<uint64_t> _maxSpecial{NO_LIMIT};
  Setting<uint64_t> _maxDevice{NO_LIMIT};
  uint64_t _unused[4] = {};
  Setting<int> _blasVersion[3] = {};
};

}  // namespace sd

#endif
