// Operations, their descriptions and arguments.
#include <helpers/OpArgsHolder.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpDescriptor.h>
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/PlatformHelper.h>

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <new>
#include <vector>

#include "export.h"

namespace sd::ops {

Status conditionHelper(const char* file, int line, int condition, int argNumber, const char* format, ...) {
  if (condition != 0) return Status::OK;
  std::printf("Error at [%s:%i:%i]:\n", file, line, argNumber);
  va_list values;
  va_start(values, format);
  std::vprintf(format, values);
  va_end(values);
  std::printf("\n");
  return Status::BAD_PARAMS;
}

}  // namespace sd::ops

namespace sd::compat {

namespace {

/// What a signal does when nobody handles it.
void defaultAction(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

SD_MEMBER(OpArgsHolder, _ZN2sd12OpArgsHolderC1Ev, (void)new (self) OpArgsHolder())
SD_MEMBER(ops::DeclarableOp, _ZN2sd3ops12DeclarableOp15getOpDescriptorEv, self->getOpDescriptor())
SD_MEMBER(ops::DeclarableOp, _ZN2sd3ops12DeclarableOp15validateInput2DERNS_5graph7ContextE, self->validateInput2D(a),
          graph::Context& a)
SD_MEMBER(ops::DeclarableOp, _ZN2sd3ops12DeclarableOp15validateInput3DERNS_5graph7ContextE, self->validateInput3D(a),
          graph::Context& a)
SD_MEMBER(ops::DeclarableOp, _ZN2sd3ops12DeclarableOp15validateInput4DERNS_5graph7ContextE, self->validateInput4D(a),
          graph::Context& a)
SD_MEMBER(ops::DeclarableOp, _ZN2sd3ops12DeclarableOp9getOpHashEv, self->getOpHash())
SD_MEMBER(ops::DeclarableOp, _ZN2sd3ops12DeclarableOp9getOpNameB5cxx11Ev, self->getOpName())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor10isSameModeEv, self->isSameMode())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor11isDivergentEv, self->isDivergent())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor12allowInplaceEb, self->allowInplace(a), bool a)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor12setInputTypeEiNS_8DataTypeE, self->setInputType(a, b), int a,
          DataType b)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor13allowsInplaceEv, self->allowsInplace())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor13setOutputTypeEiNS_8DataTypeE, self->setOutputType(a, b), int a,
          DataType b)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor15checkInputMatchEiNS_8DataTypeE, self->checkInputMatch(a, b),
          int a, DataType b)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor16checkOutputMatchEiNS_8DataTypeE, self->checkOutputMatch(a, b),
          int a, DataType b)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor16getNumberOfIArgsEv, self->getNumberOfIArgs())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor16getNumberOfTArgsEv, self->getNumberOfTArgs())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor17getNumberOfInputsEv, self->getNumberOfInputs())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor18getNumberOfOutputsEv, self->getNumberOfOutputs())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor23getOutputTypesForOutputEi, self->getOutputTypesForOutput(a),
          int a)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor7getHashEv, self->getHash())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor7setHashEx, self->setHash(a), LongType a)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor8getOpNumEv, self->getOpNum())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor8setOpNumEi, self->setOpNum(a), int a)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor9getOpNameB5cxx11Ev, self->getOpName())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor9inputTypeEv, self->inputType())
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptor9isInheritEi, self->isInherit(a), int a)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptorC1EiiPKcbbii,
          (void)new (self) ops::OpDescriptor(a, b, c, d, e, f, g), int a, int b, const char* c, bool d, bool e, int f,
          int g)
SD_MEMBER(ops::OpDescriptor, _ZN2sd3ops12OpDescriptorD1Ev, self->~OpDescriptor())
SD_MEMBER(ops::platforms::PlatformHelper, _ZN2sd3ops9platforms14PlatformHelper4hashEv, self->hash())
SD_MEMBER(ops::platforms::PlatformHelper, _ZN2sd3ops9platforms14PlatformHelper4nameB5cxx11Ev, self->name())
SD_MEMBER(ops::platforms::PlatformHelper, _ZN2sd3ops9platforms14PlatformHelper6engineEv, self->engine())

// The registry needs no clean-up when the process ends, and installs no handlers.
SD_EXPORT(_ZN2sd3ops13OpRegistrator11exitHandlerEv, (), void())
SD_EXPORT(_ZN2sd3ops13OpRegistrator13sigIntHandlerEi, (int signal), defaultAction(signal))
SD_EXPORT(_ZN2sd3ops13OpRegistrator14sigSegVHandlerEi, (int signal), defaultAction(signal))

}  // namespace sd::compat
