// Contexts of execution and workspaces.
#include <execution/AffinityManager.h>
#include <execution/ContextBuffers.h>
#include <execution/ErrorReference.h>
#include <execution/LaunchContext.h>
#include <memory/ExternalWorkspace.h>
#include <memory/Workspace.h>

#include <new>
#include <string>

#include "export.h"

namespace sd::compat {

/// ContextBuffers as ND4J's JNI library knows it: it makes and passes objects of 88 bytes. The buffers belong to
/// whoever set them; a CPU has no streams.
struct Buffers {
  void* reduction;
  void* scalar;
  void* allocation;
  bool owner;
  ErrorReference error;

  explicit Buffers(void* reductionBuffer = nullptr, void* scalarBuffer = nullptr, void* allocationBuffer = nullptr,
                   bool ownsThem = false)
      : reduction(reductionBuffer), scalar(scalarBuffer), allocation(allocationBuffer), owner(ownsThem) {}
};
static_assert(sizeof(Buffers) <= 88);

SD_MEMBER(LaunchContext, _ZN2sd13LaunchContext13isInitializedEv, self->isInitialized())
SD_MEMBER(LaunchContext, _ZN2sd13LaunchContext14errorReferenceEv, self->errorReference())
SD_MEMBER(LaunchContext, _ZN2sd13LaunchContext14releaseBuffersEv, self->releaseBuffers())
SD_MEMBER(LaunchContext, _ZN2sd13LaunchContext18swapContextBuffersERNS_14ContextBuffersE, self->swapContextBuffers(a),
          ContextBuffers& a)
SD_MEMBER(LaunchContext, _ZN2sd13LaunchContext6engineEv, self->engine())
SD_MEMBER(LaunchContext, _ZN2sd13LaunchContextC1Ev, (void)new (self) LaunchContext())
SD_MEMBER(LaunchContext, _ZN2sd13LaunchContextD1Ev, self->~LaunchContext())
SD_MEMBER(ErrorReference, _ZN2sd14ErrorReference12setErrorCodeEi, self->setErrorCode(a), int a)
SD_MEMBER(ErrorReference, _ZN2sd14ErrorReference15setErrorMessageENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
          self->setErrorMessage(a), std::string a)
SD_MEMBER(ErrorReference, _ZN2sd14ErrorReference9errorCodeEv, self->errorCode())
SD_EXPORT(_ZN2sd15AffinityManager15currentDeviceIdEv, (), AffinityManager::currentDeviceId())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace11getUsedSizeEv, self->getUsedSize())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace14getCurrentSizeEv, self->getCurrentSize())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace14getSpilledSizeEv, self->getSpilledSize())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace16getAllocatedSizeEv, self->getAllocatedSize())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace16getCurrentOffsetEv, self->getCurrentOffset())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace20getUsedSecondarySizeEv, self->getUsedSecondarySize())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace23getCurrentSecondarySizeEv, self->getCurrentSecondarySize())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace23getSpilledSecondarySizeEv, self->getSpilledSecondarySize())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace25getAllocatedSecondarySizeEv, self->getAllocatedSecondarySize())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace25getCurrentSecondaryOffsetEv, self->getCurrentSecondaryOffset())
SD_MEMBER(memory::Workspace, _ZN2sd6memory9Workspace5cloneEv, self->clone())
SD_MEMBER(memory::ExternalWorkspace, _ZN2sd6memory17ExternalWorkspace10sizeDeviceEv, self->sizeDevice())
SD_MEMBER(memory::ExternalWorkspace, _ZN2sd6memory17ExternalWorkspace11pointerHostEv, self->pointerHost())
SD_MEMBER(memory::ExternalWorkspace, _ZN2sd6memory17ExternalWorkspace13pointerDeviceEv, self->pointerDevice())
SD_MEMBER(memory::ExternalWorkspace, _ZN2sd6memory17ExternalWorkspace8sizeHostEv, self->sizeHost())
SD_MEMBER(memory::ExternalWorkspace, _ZN2sd6memory17ExternalWorkspaceC1EPvxS2_x,
          (void)new (self) memory::ExternalWorkspace(a, b, c, d), void* a, LongType b, void* c, LongType d)

SD_MEMBER(Buffers, _ZN2sd14ContextBuffersC1Ev, (void)new (self) Buffers())
SD_MEMBER(Buffers, _ZN2sd14ContextBuffersC1ERKS0_, (void)new (self) Buffers(other), const Buffers& other)
SD_MEMBER(Buffers, _ZN2sd14ContextBuffersC1EPvS1_S1_b, (void)new (self) Buffers(reduction, scalar, allocation, owner),
          void* reduction, void* scalar, void* allocation, bool owner)
SD_MEMBER(Buffers, _ZN2sd14ContextBuffersD1Ev, self->~Buffers())
SD_MEMBER(Buffers, _ZN2sd14ContextBuffersaSERKS0_, (*self = other), const Buffers& other)
SD_EXPORT(_ZN2sd14ContextBuffers7releaseEv, (Buffers*), void())
SD_EXPORT(_ZN2sd14ContextBuffers8deviceIdEv, (Buffers*), 0)
SD_EXPORT(_ZN2sd14ContextBuffers10execStreamEv, (Buffers*), static_cast<void*>(nullptr))
SD_EXPORT(_ZN2sd14ContextBuffers13specialStreamEv, (Buffers*), static_cast<void*>(nullptr))
SD_MEMBER(Buffers, _ZN2sd14ContextBuffers12scalarBufferEv, self->scalar)
SD_MEMBER(Buffers, _ZN2sd14ContextBuffers15reductionBufferEv, self->reduction)
SD_MEMBER(Buffers, _ZN2sd14ContextBuffers16allocationBufferEv, self->allocation)
SD_MEMBER(Buffers, _ZN2sd14ContextBuffers15setScalarBufferEPv, (void)(self->scalar = buffer), void* buffer)
SD_MEMBER(Buffers, _ZN2sd14ContextBuffers18setReductionBufferEPv, (void)(self->reduction = buffer), void* buffer)
SD_MEMBER(Buffers, _ZN2sd14ContextBuffers19setAllocationBufferEPv, (void)(self->allocation = buffer), void* buffer)
SD_MEMBER(Buffers, _ZN2sd14ContextBuffers16triggerOwnershipEb, (void)(self->owner = owner), bool owner)
SD_EXPORT(_ZN2sd14ContextBuffers13isInitializedEv, (Buffers*), true)
SD_MEMBER(Buffers, _ZN2sd14ContextBuffers14errorReferenceEv, &self->error)

}  // namespace sd::compat
