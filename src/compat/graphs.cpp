// Graphs, their variables, contexts, and profiles.
#include <graph/Context.h>
#include <graph/FlowPath.h>
#include <graph/Graph.h>
#include <graph/GraphState.h>
#include <graph/ResultWrapper.h>
#include <graph/Stash.h>
#include <graph/Variable.h>
#include <graph/VariableSpace.h>
#include <graph/VariablesSet.h>
#include <graph/profiling/GraphProfile.h>
#include <graph/profiling/NodeProfile.h>

#include <new>
#include <stdexcept>

#include "export.h"

namespace sd::compat {

namespace {

[[noreturn]] void* noRandomBuffer() {
  throw std::runtime_error("[Context] random::RandomBuffer does not exist here: use the context's RandomGenerator");
}

[[noreturn]] void* noContext() {
  throw std::runtime_error("[Context] an object of this class cannot be made here: use createGraphContext");
}

}  // namespace

SD_MEMBER(graph::GraphState, _ZN2sd5graph10GraphState13variableSpaceEv, self->variableSpace())
SD_MEMBER(graph::GraphState, _ZN2sd5graph10GraphState2idEv, self->id())
SD_MEMBER(graph::GraphState, _ZN2sd5graph10GraphState8hasScopeEi, self->hasScope(a), int a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile12setArrayTimeEx, self->setArrayTime(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile12setBuildTimeEx, self->setBuildTime(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile12setInputTimeEx, self->setInputTime(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile12setTotalSizeEx, self->setTotalSize(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile12setTotalTimeEx, self->setTotalTime(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile14setObjectsSizeEx, self->setObjectsSize(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile16setExecutionTimeEx, self->setExecutionTime(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile16setTemporarySizeEx, self->setTemporarySize(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile18setActivationsSizeEx, self->setActivationsSize(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile18setPreparationTimeEx, self->setPreparationTime(a), LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile20setShapeFunctionTimeEx, self->setShapeFunctionTime(a),
          LongType a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile4nameB5cxx11Ev, self->name())
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile5mergeEPS1_, self->merge(a), graph::NodeProfile* a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile6assignEPS1_, self->assign(a), graph::NodeProfile* a)
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfile8printOutEv, self->printOut())
SD_MEMBER(graph::NodeProfile, _ZN2sd5graph11NodeProfileC1EiPKc, (void)new (self) graph::NodeProfile(a, b), int a,
          const char* b)
SD_MEMBER(const graph::NodeProfile, _ZNK2sd5graph11NodeProfile12getTotalSizeEv, self->getTotalSize())
SD_MEMBER(const graph::NodeProfile, _ZNK2sd5graph11NodeProfile14getObjectsSizeEv, self->getObjectsSize())
SD_MEMBER(const graph::NodeProfile, _ZNK2sd5graph11NodeProfile16getExecutionTimeEv, self->getExecutionTime())
SD_MEMBER(const graph::NodeProfile, _ZNK2sd5graph11NodeProfile16getTemporarySizeEv, self->getTemporarySize())
SD_MEMBER(const graph::NodeProfile, _ZNK2sd5graph11NodeProfile18getActivationsSizeEv, self->getActivationsSize())
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile10addToTotalEx, self->addToTotal(a), LongType a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile10nodeExistsEi, self->nodeExists(a), int a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile12addToObjectsEx, self->addToObjects(a), LongType a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile12relativeTimeEx, self->relativeTime(a), LongType a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile12setBuildTimeEx, self->setBuildTime(a), LongType a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile14addToTemporaryEx, self->addToTemporary(a), LongType a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile16addToActivationsEx, self->addToActivations(a), LongType a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile16setExecutionTimeEx, self->setExecutionTime(a), LongType a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile5mergeEPS1_, self->merge(a), graph::GraphProfile* a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile6assignEPS1_, self->assign(a), graph::GraphProfile* a)
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfile8printOutEv, self->printOut())
SD_MEMBER(graph::GraphProfile, _ZN2sd5graph12GraphProfileD1Ev, self->~GraphProfile())
SD_MEMBER(graph::VariablesSet, _ZN2sd5graph12VariablesSet2atEi, self->at(a), int a)
SD_MEMBER(graph::VariablesSet, _ZN2sd5graph12VariablesSet4sizeEv, self->size())
SD_MEMBER(graph::VariablesSet, _ZN2sd5graph12VariablesSet6statusEv, self->status())
SD_MEMBER(graph::VariablesSet, _ZN2sd5graph12VariablesSet9push_backEPNS0_8VariableE, self->push_back(a),
          graph::Variable* a)
SD_MEMBER(graph::VariablesSet, _ZN2sd5graph12VariablesSetC1ENS_6StatusE, (void)new (self) graph::VariablesSet(a),
          Status a)
SD_MEMBER(graph::VariablesSet, _ZN2sd5graph12VariablesSetD1Ev, self->~VariablesSet())
SD_MEMBER(graph::ArgumentsList, _ZN2sd5graph13ArgumentsList2atEi, self->at(a), int a)
SD_MEMBER(graph::ArgumentsList, _ZN2sd5graph13ArgumentsList4sizeEv, self->size())
SD_MEMBER(graph::ResultWrapper, _ZN2sd5graph13ResultWrapper4sizeEv, self->size())
SD_MEMBER(graph::ResultWrapper, _ZN2sd5graph13ResultWrapper7pointerEv, self->pointer())
SD_MEMBER(graph::VariableSpace, _ZN2sd5graph13VariableSpace14injectVariableERSt4pairIiiEPNS0_8VariableE,
          self->injectVariable(a, b), std::pair<int, int>& a, graph::Variable* b)
SD_MEMBER(graph::VariableSpace, _ZN2sd5graph13VariableSpace7handlesEv, self->handles())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype11markInplaceEb, self->markInplace(a), bool a)
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype13getBArgumentsEv, self->getBArguments())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype13getDArgumentsEv, self->getDArguments())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype13getIArgumentsEv, self->getIArguments())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype13getTArgumentsEv, self->getTArguments())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype15setOpDescriptorEPNS_3ops12OpDescriptorE,
          self->setOpDescriptor(a), ops::OpDescriptor* a)
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype18hasVariablesFilledEv, self->hasVariablesFilled())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype4numBEv, self->numB())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype4numDEv, self->numD())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype4numIEv, self->numI())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype4numTEv, self->numT())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype5cloneEv, self->clone())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype5inputEi, self->input(a), int a)
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype5opNumEv, self->opNum())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype6engineEv, self->engine())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype6inputsEv, self->inputs())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype6nodeIdEv, self->nodeId())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype7getAxisEv, self->getAxis())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype8setOpNumEi, self->setOpNum(a), int a)
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype9getNodeIdEv, self->getNodeId())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype9isInplaceEv, self->isInplace())
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype9pickInputERSt4pairIiiE, self->pickInput(a),
          std::pair<int, int>& a)
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype9pickInputEi, self->pickInput(a), int a)
SD_MEMBER(graph::ContextPrototype, _ZN2sd5graph16ContextPrototype9pickInputEii, self->pickInput(a, b), int a, int b)
SD_MEMBER(graph::Stash, _ZN2sd5graph5Stash10checkStashEiPKc, self->checkStash(a, b), int a, const char* b)
SD_MEMBER(graph::Stash, _ZN2sd5graph5Stash12extractArrayEiPKc, self->extractArray(a, b), int a, const char* b)
SD_MEMBER(graph::Stash, _ZN2sd5graph5StashC1Ev, (void)new (self) graph::Stash())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context10getNDArrayEi, self->getNDArray(a), int a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context10isFastPathEv, self->isFastPath())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context10isTrainingEv, self->isTraining())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context11getVariableEi, self->getVariable(a), int a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context11isInferenceEv, self->isInference())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context12allowHelpersEb, self->allowHelpers(a), bool a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context12getInnerTimeEv, self->getInnerTime())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context12getOuterTimeEv, self->getOuterTime())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context12getWorkspaceEv, self->getWorkspace())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context12setInnerTimeEx, self->setInnerTime(a), LongType a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context12setOuterTimeEx, self->setOuterTime(a), LongType a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13executionModeEv, self->executionMode())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13launchContextEv, self->launchContext())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13setBArgumentsEPbi, self->setBArguments(a, b), bool* a, int b)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13setBArgumentsERKSt6vectorIbSaIbEE, self->setBArguments(a),
          const std::vector<bool>& a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13setDArgumentsEPNS_8DataTypeEi, self->setDArguments(a, b), DataType* a,
          int b)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13setDArgumentsERKSt6vectorINS_8DataTypeESaIS3_EE, self->setDArguments(a),
          const std::vector<DataType>& a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13setIArgumentsEPxi, self->setIArguments(a, b), LongType* a, int b)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13setIArgumentsERKSt6vectorIxSaIxEE, self->setIArguments(a),
          const std::vector<LongType>& a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13setTArgumentsEPdi, self->setTArguments(a, b), double* a, int b)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context13setTArgumentsERKSt6vectorIdSaIdEE, self->setTArguments(a),
          const std::vector<double>& a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context14forbidFastPathEb, self->forbidFastPath(a), bool a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context14helpersAllowedEv, self->helpersAllowed())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context14setCudaContextEPvS2_S2_, self->setCudaContext(a, b, c), void* a,
          void* b, void* c)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context15attachWorkspaceEPNS_6memory9WorkspaceE, self->attachWorkspace(a),
          memory::Workspace* a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context15forgetWorkspaceEv, self->forgetWorkspace())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context15setTargetEngineEN8samediff6EngineE, self->setTargetEngine(a),
          samediff::Engine a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context16getVariableSpaceEv, self->getVariableSpace())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context16isValueAvailableEi, self->isValueAvailable(a), int a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context16setExecutionModeEN8samediff13ExecutionModeE, self->setExecutionMode(a),
          samediff::ExecutionMode a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context16setVariableSpaceEPNS0_13VariableSpaceE, self->setVariableSpace(a),
          graph::VariableSpace* a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context20hasWorkspaceProvidedEv, self->hasWorkspaceProvided())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context21shapeFunctionOverrideEv, self->shapeFunctionOverride())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context24setShapeFunctionOverrideEb, self->setShapeFunctionOverride(a), bool a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context5arrayEi, self->array(a), int a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context8getStashEv, self->getStash())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context8variableERSt4pairIiiE, self->variable(a), std::pair<int, int>& a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context8variableEi, self->variable(a), int a)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context8variableEii, self->variable(a, b), int a, int b)
SD_MEMBER(graph::Context, _ZN2sd5graph7Context9getBranchEv, self->getBranch())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context9workspaceEv, self->workspace())
SD_MEMBER(graph::KeyPair, _ZN2sd5graph7KeyPairC1EiPKc, (void)new (self) graph::KeyPair(a, b), int a, const char* b)
SD_MEMBER(const graph::KeyPair, _ZNK2sd5graph7KeyPairltERKS1_, self->operator<(a), const graph::KeyPair& a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath10markBranchEii, self->markBranch(a, b), int a, int b)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath10planRewindExb, self->planRewind(a, b), LongType a, bool b)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath11forgetFrameEx, self->forgetFrame(a), LongType a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath11wasExecutedEi, self->wasExecuted(a), int a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath12isNodeActiveEi, self->isNodeActive(a), int a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath12markExecutedEib, self->markExecuted(a, b), int a, bool b)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath12setInnerTimeEix, self->setInnerTime(a, b), int a, LongType b)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath12setOuterTimeEix, self->setOuterTime(a, b), int a, LongType b)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath13isFrameActiveEx, self->isFrameActive(a), LongType a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath13registerFrameEx, self->registerFrame(a), LongType a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath14markNodeActiveEib, self->markNodeActive(a, b), int a, bool b)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath15isRewindPlannedEx, self->isRewindPlanned(a), LongType a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath15markFrameActiveExb, self->markFrameActive(a, b), LongType a, bool b)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath17getNumberOfCyclesEx, self->getNumberOfCycles(a), LongType a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath17getRewindPositionEx, self->getRewindPosition(a), LongType a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath17setRewindPositionExi, self->setRewindPosition(a, b), LongType a,
          int b)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath21setRewindPositionOnceExi, self->setRewindPositionOnce(a, b),
          LongType a, int b)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath23incrementNumberOfCyclesEx, self->incrementNumberOfCycles(a),
          LongType a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath6branchEi, self->branch(a), int a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath7profileEv, self->profile())
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath9innerTimeEi, self->innerTime(a), int a)
SD_MEMBER(graph::FlowPath, _ZN2sd5graph8FlowPath9outerTimeEi, self->outerTime(a), int a)
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable10getNDArrayEv, self->getNDArray())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable10hasNDArrayEv, self->hasNDArray())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable10isExternalEv, self->isExternal())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable10isReadOnlyEv, self->isReadOnly())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable11isRemovableEv, self->isRemovable())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable12markExternalEb, self->markExternal(a), bool a)
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable12markReadOnlyEb, self->markReadOnly(a), bool a)
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable12variableTypeEv, self->variableType())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable13isPlaceholderEv, self->isPlaceholder())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable13markRemovableEb, self->markRemovable(a), bool a)
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable14getNDArrayListEv, self->getNDArrayList())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable14hasNDArrayListEv, self->hasNDArrayList())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable15setVariableTypeENS0_12VariableTypeE, self->setVariableType(a),
          graph::VariableType a)
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable2idEv, self->id())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable5cloneEv, self->clone())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable5indexEv, self->index())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable5setIdEi, self->setId(a), int a)
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable5setIdEii, self->setId(a, b), int a, int b)
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable5shapeEv, self->shape())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable7getNameB5cxx11Ev, self->getName())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable7isEmptyEv, self->isEmpty())
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable7setNameEPNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
          self->setName(a), std::string* a)
SD_MEMBER(graph::Variable, _ZN2sd5graph8Variable8setIndexEi, self->setIndex(a), int a)

SD_MEMBER(graph::VariableSpace, _ZN2sd5graph13VariableSpace3asTEv, self->clone())
// One workspace serves forward passes, results and temporary arrays.
SD_MEMBER(graph::Context, _ZN2sd5graph7Context10fWorkspaceEv, self->workspace())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context10oWorkspaceEv, self->workspace())
SD_MEMBER(graph::Context, _ZN2sd5graph7Context10tWorkspaceEv, self->workspace())
// Our contexts are larger than the memory that the JNI library has for one.
SD_EXPORT(_ZN2sd5graph7ContextC1EiPNS0_13VariableSpaceE, (void*, int, graph::VariableSpace*), (void)noContext())
SD_EXPORT(_ZN2sd5graph7ContextC1EiPNS0_13VariableSpaceEb, (void*, int, graph::VariableSpace*, bool), (void)noContext())
SD_EXPORT(_ZN2sd5graph7ContextC1EPNS0_16ContextPrototypeEPNS0_13VariableSpaceE,
          (void*, graph::ContextPrototype*, graph::VariableSpace*), (void)noContext())
SD_EXPORT(_ZN2sd5graph7Context6getRNGEv, (graph::Context*), noRandomBuffer())
SD_EXPORT(_ZN2sd5graph7Context6setRNGEPNS_6random12RandomBufferE, (graph::Context*, void*), (void)noRandomBuffer())

}  // namespace sd::compat
