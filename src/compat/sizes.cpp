// ND4J's JNI library makes objects in memory of libnd4j's sizes: ours must not be larger.
#include <array/ConstantDataBuffer.h>
#include <array/ConstantDescriptor.h>
#include <array/NDArray.h>
#include <array/NDArrayList.h>
#include <array/ResultSet.h>
#include <array/ShapeDescriptor.h>
#include <array/ShapeList.h>
#include <array/TadDescriptor.h>
#include <array/TadPack.h>
#include <graph/FlowPath.h>
#include <graph/GraphState.h>
#include <graph/ResultWrapper.h>
#include <graph/Stash.h>
#include <graph/Variable.h>
#include <graph/VariablesSet.h>
#include <helpers/OpArgsHolder.h>
#include <indexing/NDIndex.h>
#include <memory/ExternalWorkspace.h>
#include <ops/declarable/OpDescriptor.h>
#include <types/utf8string.h>

namespace sd {

#define SD_FITS(Class, bytes) static_assert(sizeof(Class) <= bytes, "an object that the JNI library makes")
SD_FITS(ConstantDataBuffer, 48);
SD_FITS(ConstantDescriptor, 48);
SD_FITS(ContextBuffers, 88);
SD_FITS(DataBuffer, 48);
SD_FITS(Environment, 104);
SD_FITS(LaunchContext, 24);
SD_FITS(NDArray, 80);
SD_FITS(NDArrayList, 160);
SD_FITS(NDIndexAll, 40);
SD_FITS(NDIndexInterval, 40);
SD_FITS(NDIndexPoint, 40);
SD_FITS(OpArgsHolder, 168);
SD_FITS(ResultSet, 32);
SD_FITS(ShapeDescriptor, 64);
SD_FITS(ShapeList, 32);
SD_FITS(TadDescriptor, 96);
SD_FITS(TadPack, 80);
SD_FITS(graph::ContextPrototype, 272);
SD_FITS(graph::FlowPath, 344);
SD_FITS(graph::FrameState, 56);
SD_FITS(graph::GraphProfile, 232);
SD_FITS(graph::GraphState, 544);
SD_FITS(graph::KeyPair, 40);
SD_FITS(graph::NodeProfile, 184);
SD_FITS(graph::RandomGenerator, 24);
SD_FITS(graph::ResultWrapper, 16);
SD_FITS(graph::Stash, 72);
SD_FITS(graph::Variable, 96);
SD_FITS(graph::VariableSpace, 472);
SD_FITS(graph::VariablesSet, 32);
SD_FITS(memory::ExternalWorkspace, 32);
SD_FITS(memory::Workspace, 240);
SD_FITS(ops::OpDescriptor, 168);
SD_FITS(utf8string, 24);
#undef SD_FITS

}  // namespace sd
