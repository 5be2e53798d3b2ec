// Environment: its settings, and the versions that it reports.
#include <system/Environment.h>

#include <string>

#include "export.h"

namespace sd::compat {

namespace {

/// The folder of NEC's Aurora kernels: kept for whoever asks, and not used.
std::string& vedaFolder() {
  static std::string folder;
  return folder;
}

}  // namespace

SD_MEMBER(Environment, _ZN2sd11Environment10maxThreadsEv, self->maxThreads())
SD_MEMBER(Environment, _ZN2sd11Environment10setVerboseEb, self->setVerbose(a), bool a)
SD_MEMBER(Environment, _ZN2sd11Environment11isProfilingEv, self->isProfiling())
SD_MEMBER(Environment, _ZN2sd11Environment12allowHelpersEb, self->allowHelpers(a), bool a)
SD_MEMBER(Environment, _ZN2sd11Environment12blasFallbackEv, self->blasFallback())
SD_MEMBER(Environment, _ZN2sd11Environment12setProfilingEb, self->setProfiling(a), bool a)
SD_MEMBER(Environment, _ZN2sd11Environment12tadThresholdEv, self->tadThreshold())
SD_MEMBER(Environment, _ZN2sd11Environment13setMaxThreadsEi, self->setMaxThreads(a), int a)
SD_MEMBER(Environment, _ZN2sd11Environment14helpersAllowedEv, self->helpersAllowed())
SD_MEMBER(Environment, _ZN2sd11Environment15setTadThresholdEi, self->setTadThreshold(a), int a)
SD_MEMBER(Environment, _ZN2sd11Environment16blasMajorVersionEv, self->blasMajorVersion())
SD_MEMBER(Environment, _ZN2sd11Environment16blasMinorVersionEv, self->blasMinorVersion())
SD_MEMBER(Environment, _ZN2sd11Environment16blasPatchVersionEv, self->blasPatchVersion())
SD_MEMBER(Environment, _ZN2sd11Environment16isDetectingLeaksEv, self->isDetectingLeaks())
SD_MEMBER(Environment, _ZN2sd11Environment16maxMasterThreadsEv, self->maxMasterThreads())
SD_MEMBER(Environment, _ZN2sd11Environment16maxPrimaryMemoryEv, self->maxPrimaryMemory())
SD_MEMBER(Environment, _ZN2sd11Environment16maxSpecialMemoryEv, self->maxSpecialMemory())
SD_MEMBER(Environment, _ZN2sd11Environment16setLeaksDetectorEb, self->setLeaksDetector(a), bool a)
SD_MEMBER(Environment, _ZN2sd11Environment17isDebugAndVerboseEv, self->isDebugAndVerbose())
SD_MEMBER(Environment, _ZN2sd11Environment18setMaxDeviceMemoryEm, self->setMaxDeviceMemory(a), size_t a)
SD_MEMBER(Environment, _ZN2sd11Environment19allowPrecisionBoostEb, self->allowPrecisionBoost(a), bool a)
SD_MEMBER(Environment, _ZN2sd11Environment19isExperimentalBuildEv, self->isExperimentalBuild())
SD_MEMBER(Environment, _ZN2sd11Environment19setMaxPrimaryMemoryEm, self->setMaxPrimaryMemory(a), size_t a)
SD_MEMBER(Environment, _ZN2sd11Environment20defaultFloatDataTypeEv, self->defaultFloatDataType())
SD_MEMBER(Environment, _ZN2sd11Environment20elementwiseThresholdEv, self->elementwiseThreshold())
SD_MEMBER(Environment, _ZN2sd11Environment20setMaxSpecialyMemoryEm, self->setMaxSpecialyMemory(a), size_t a)
SD_MEMBER(Environment, _ZN2sd11Environment21precisionBoostAllowedEv, self->precisionBoostAllowed())
SD_MEMBER(Environment, _ZN2sd11Environment23setElementwiseThresholdEi, self->setElementwiseThreshold(a), int a)
SD_MEMBER(Environment, _ZN2sd11Environment5isCPUEv, self->isCPU())
SD_MEMBER(Environment, _ZN2sd11Environment7isDebugEv, self->isDebug())
SD_MEMBER(Environment, _ZN2sd11Environment8setDebugEb, self->setDebug(a), bool a)
SD_MEMBER(Environment, _ZN2sd11Environment9isVerboseEv, self->isVerbose())

SD_EXPORT(_ZN2sd11Environment16getVedaDeviceDirEv, (Environment*), (vedaFolder()))
SD_EXPORT(_ZN2sd11Environment16setVedaDeviceDirERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
          (Environment*, const std::string& folder), (void)(vedaFolder() = folder))

}  // namespace sd::compat
