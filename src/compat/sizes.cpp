// Room for objects that ND4J's JNI library makes with `new` and the sizes of libnd4j's classes, where ours are larger.
//
// The JNI library finds this `operator new` before that of the C++ library, because libnd4jcpu.so comes first among the
// libraries that it names. The memory is malloc's, as there, so that any `operator delete` frees it.
#include <array/ConstantDescriptor.h>
#include <array/NDArray.h>
#include <array/ResultSet.h>
#include <array/ShapeList.h>
#include <graph/Context.h>
#include <graph/FlowPath.h>
#include <graph/GraphState.h>
#include <graph/Stash.h>
#include <graph/Variable.h>
#include <graph/profiling/GraphProfile.h>
#include <graph/profiling/NodeProfile.h>
#include <helpers/OpArgsHolder.h>
#include <indexing/NDIndex.h>
#include <ops/declarable/OpDescriptor.h>
#include <types/utf8string.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

namespace sd::compat {
namespace {

constexpr size_t STEP = 8, LARGEST = 544;

/// The size to allocate for each multiple of 8 bytes.
constexpr auto rooms = [] {
  std::array<size_t, LARGEST / STEP + 1> sizes{};
  for (size_t i = 0; i < sizes.size(); i++) sizes[i] = i * STEP;
  const auto atLeast = [&](size_t theirs, size_t ours) { sizes[theirs / STEP] = std::max(sizes[theirs / STEP], ours); };
  atLeast(32, std::max(sizeof(ShapeList), sizeof(ResultSet)));
  atLeast(40, std::max(sizeof(NDIndexInterval), sizeof(NDIndexPoint)));
  atLeast(48, sizeof(ConstantDescriptor));
  atLeast(72, sizeof(graph::Stash));
  atLeast(96, sizeof(graph::Variable));
  atLeast(168, sizeof(ops::OpDescriptor));
  atLeast(184, sizeof(graph::NodeProfile));
  atLeast(272, sizeof(graph::ContextPrototype));
  atLeast(432, sizeof(graph::Context));
  atLeast(544, sizeof(graph::GraphState));
  return sizes;
}();

// Their objects are arrays in Java too, or are members of others.
static_assert(sizeof(NDArray) == 80 && sizeof(LaunchContext) == 24 && sizeof(graph::RandomGenerator) == 24 &&
              sizeof(utf8string) == 24 && sizeof(OpArgsHolder) == 168 && sizeof(graph::KeyPair) == 40 &&
              sizeof(NDIndex) == 40);
static_assert(sizeof(Environment) <= 104 && sizeof(graph::GraphProfile) <= 232 && sizeof(graph::FlowPath) <= 344 &&
              sizeof(graph::VariableSpace) <= 472);

}  // namespace
}  // namespace sd::compat

[[gnu::visibility("default")]] void* operator new(size_t bytes) {
  using namespace sd::compat;
  const size_t room = bytes <= LARGEST && bytes % STEP == 0 ? rooms[bytes / STEP] : bytes;
  while (true) {
    if (void* memory = std::malloc(std::max<size_t>(room, 1))) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
