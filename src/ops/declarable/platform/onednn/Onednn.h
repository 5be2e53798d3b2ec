// Code that the oneDNN helpers share.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_PLATFORM_ONEDNN_ONEDNN_H
#define NDFORGE_SRC_OPS_DECLARABLE_PLATFORM_ONEDNN_ONEDNN_H

#include <execution/Parallel.h>
#include <omp.h>
#include <system/Environment.h>

#include <algorithm>
#include <dnnl.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ops/declarable/helpers/windows.h"

namespace sd::ops::platforms::onednn {

using Dims = dnnl::memory::dims;

inline bool isEnabled(graph::Context& block) {
  return Environment::getInstance().isUseONEDNN() && block.isUseONEDNN() && !execution::inParallel();
}

/// Whether the array is given, FLOAT32, not empty, and has positive strides, which oneDNN accepts.
inline bool fits(const NDArray* array) {
  if (array == nullptr || array->dataType() != FLOAT32 || array->isEmpty() || array->rankOf() == 0) return false;
  for (int d = 0; d < array->rankOf(); d++)
    if (array->strideAt(d) <= 0) return false;
  return true;
}

/// While a primitive is created and runs, limits oneDNN to the threads that this library would use for that many
/// nanoseconds of work.
class ThreadLimit {
 public:
  /// `dividesSums`: the threads each add up a part, so that their number changes results. It must not depend on what
  /// other programs do, or equal calls would differ.
  explicit ThreadLimit(double cost, bool dividesSums = false) : _before(omp_get_max_threads()) {
    omp_set_num_threads(dividesSums ? execution::steadyThreadsFor(cost) : execution::threadsFor(cost));
  }
  ~ThreadLimit() { omp_set_num_threads(_before); }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  int _before;
};

inline const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

/// Describes the array's memory as the given view sees it.
inline dnnl::memory::desc describe(const NDArray& view) {
  Dims dims, strides;
  for (int d = 0; d < view.rankOf(); d++) {
    dims.push_back(view.sizeAt(d));
    strides.push_back(view.strideAt(d));
  }
  return {dims, dnnl::memory::data_type::f32, strides};
}

inline Dims dimsOf(const dnnl::memory::desc& desc) {
#if DNNL_VERSION_MAJOR < 3
  return desc.dims();
#else
  return desc.get_dims();
#endif
}

/// The same description, unless there are gaps between the elements: then contiguous [N, C, H, W]. oneDNN 3.7 clears
/// the whole memory of a gradient, including the gaps.
inline dnnl::memory::desc withoutGaps(const dnnl::memory::desc& given) {
  const Dims dims = dimsOf(given);
  const dnnl::memory::desc dense(dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::abcd);
  return given.get_size() == dense.get_size() ? given : dense;
}

/// The same dimensions in the primitive's preferred layout.
inline dnnl::memory::desc anyLayout(const dnnl::memory::desc& like) {
  return {dimsOf(like), dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

/// How a primitive will compute the described operation. oneDNN 2 describes the operation separately from the
/// primitive.
template <typename Primitive, typename... Arguments>
typename Primitive::primitive_desc plan(const Arguments&... arguments) {
#if DNNL_VERSION_MAJOR < 3
  return {typename Primitive::desc(arguments...), engine()};
#else
  return {engine(), arguments...};
#endif
}
/// The same for a gradient, which takes the description of the forward primitive.
template <typename Primitive, typename Forward, typename... Arguments>
typename Primitive::primitive_desc planGradient(const Forward& forward, const Arguments&... arguments) {
#if DNNL_VERSION_MAJOR < 3
  return {typename Primitive::desc(arguments...), engine(), forward};
#else
  return {engine(), arguments..., forward};
#endif
}

/// Lists of what was used last, which comes first.
template <typename Entry>
Entry& toFront(std::vector<Entry>& list, typename std::vector<Entry>::iterator entry) {
  std::rotate(list.begin(), entry, entry + 1);
  return list.front();
}
template <typename Entry>
Entry& addInFront(std::vector<Entry>& list, size_t most, Entry entry) {
  if (list.size() == most) list.pop_back();
  return *list.insert(list.begin(), std::move(entry));
}

/// A primitive and what it was made from. Making them takes tens of microseconds.
template <typename Primitive>
struct Prepared {
  typename Primitive::primitive_desc desc;
  Primitive primitive;
};

/// The primitive that `describe` plans, or the one that this thread has made for the same key before. The key holds all
/// that the plan depends on, except for the number of threads. A primitive shares its temporary memory with those of
/// its thread; those that need much are not kept.
template <typename Primitive, typename Describe>
Prepared<Primitive> prepared(std::vector<LongType> key, Describe&& describe) {
  using Entry = std::pair<std::vector<LongType>, Prepared<Primitive>>;
  constexpr size_t MOST = 16;
  constexpr LongType MOST_BYTES = 1 << 20;
  static thread_local std::vector<Entry> kept;
  key.push_back(omp_get_max_threads());
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const Entry& entry) { return entry.first == key; });
  if (found != kept.end()) return toFront(kept, found).second;
  const auto desc = describe();
  const Prepared<Primitive> made{desc, Primitive(desc)};
  if (desc.query_s64(dnnl::query::memory_consumption_s64) <= MOST_BYTES)
    addInFront(kept, MOST, Entry(std::move(key), made));
  return made;
}

/// Copies memory to another layout.
inline void reorder(const dnnl::stream& stream, dnnl::memory from, dnnl::memory to) {
  struct Entry {
    dnnl::memory::desc from, to;
    int threads;
    dnnl::reorder primitive;
  };
  constexpr size_t MOST = 32;
  static thread_local std::vector<Entry> kept;
  const auto given = from.get_desc(), wanted = to.get_desc();
  const int threads = omp_get_max_threads();
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const Entry& entry) {
    return entry.threads == threads && entry.from == given && entry.to == wanted;
  });
  Entry& entry = found != kept.end() ? toFront(kept, found)
                                     : addInFront(kept, MOST, Entry{given, wanted, threads, dnnl::reorder(from, to)});
  entry.primitive.execute(stream, from, to);
}

/// The arrays of one primitive. Arrays that it needs in another layout are reordered before and after it.
class Call {
 public:
  Call() : _stream(engine()) {}

  void input(int argument, const NDArray& view, const dnnl::memory::desc& wanted) {
    input(argument, {describe(view), engine(), const_cast<void*>(view.buffer())}, wanted);
  }
  void input(int argument, dnnl::memory given, const dnnl::memory::desc& wanted) {
    if (given.get_desc() != wanted) {
      dnnl::memory reordered = apart(wanted);
      reorder(_stream, given, reordered);
      given = reordered;
    }
    _arguments.insert({argument, given});
  }
  void output(int argument, NDArray& view, const dnnl::memory::desc& wanted) {
    output(argument, dnnl::memory(describe(view), engine(), view.buffer()), wanted);
  }
  void output(int argument, const dnnl::memory& target, const dnnl::memory::desc& wanted) {
    const bool same = target.get_desc() == wanted;
    const auto made = _arguments.insert({argument, same ? target : apart(wanted)}).first;
    if (!same) finally(made->second, target);
  }
  /// Passes an array without reordering.
  void pass(int argument, const dnnl::memory& memory) { _arguments.insert({argument, memory}); }
  /// Reorders one array into another after the primitive has run.
  void finally(const dnnl::memory& from, const dnnl::memory& to) { _late.push_back({from, to}); }

  /// Temporary memory for this call, from the library's cache, whose pages are already mapped.
  dnnl::memory apart(const dnnl::memory::desc& desc) {
    const LongType bytes = static_cast<LongType>(desc.get_size());
    _memory.push_back(NDArray::uninitialized(UINT8, 'c', 1, &bytes, LaunchContext::defaultContext()));
    return {desc, engine(), _memory.back().buffer()};
  }

  void run(const dnnl::primitive& primitive) {
    primitive.execute(_stream, _arguments);
    for (auto& [from, to] : _late) reorder(_stream, from, to);
    _stream.wait();
  }

 private:
  dnnl::stream _stream;
  std::unordered_map<int, dnnl::memory> _arguments;
  std::vector<std::pair<dnnl::memory, dnnl::memory>> _late;
  std::vector<NDArray> _memory;
};

/// Strides, dilations (0: none), and the padding on both sides, for the axes from `first` on.
struct Geometry {
  Dims kernel, strides, dilations, before, after;

  explicit Geometry(const helpers::Windows& windows, size_t first = 1) {
    for (size_t d = first; d < 3; d++) {
      const helpers::WindowAxis& a = windows.axes[d];
      kernel.push_back(a.kernel);
      strides.push_back(a.stride);
      dilations.push_back(a.dilation - 1);
      before.push_back(a.pad);
      after.push_back((a.out - 1) * a.stride + a.extent() - a.in - a.pad);
    }
  }
  /// oneDNN requires paddings smaller than the window, and does not support negative ones, which crop the image.
  bool fits() const {
    for (size_t d = 0; d < kernel.size(); d++) {
      const auto extent = (kernel[d] - 1) * (dilations[d] + 1) + 1;
      if (before[d] < 0 || before[d] >= extent || after[d] >= extent) return false;
    }
    return true;
  }
};

}  // namespace sd::ops::platforms::onednn

#endif
