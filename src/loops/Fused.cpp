// Operators of user programs over arrays: the library supplies the plan, the conversions and the threads.
#include <exceptions/datatype_exception.h>
#include <execution/Parallel.h>
#include <loops/CommonType.h>
#include <loops/Fused.h>

#include <algorithm>
#include <array>
#include <string>

#include "loops/Alignment.h"
#include "loops/Chunks.h"
#include "loops/FusedTypes.h"
#include "loops/Kernels.h"
#include "loops/Operand.h"
#include "loops/Plan.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

constexpr LongType TILE = 512;

template <typename T>
constexpr Storage storageOfType() {
  if constexpr (std::is_same_v<T, float>) return simd::F32;
  if constexpr (std::is_same_v<T, double>) return simd::F64;
  constexpr bool isSigned = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 1:
      return isSigned ? simd::I8 : simd::U8;
    case 2:
      return isSigned ? simd::I16 : simd::U16;
    case 4:
      return isSigned ? simd::I32 : simd::U32;
    default:
      return isSigned ? simd::I64 : simd::U64;
  }
}

template <typename A, typename... B>
constexpr std::array<Storage, FUSED_TYPES> commonWith() {
  return {storageOfType<CommonType<A, B>>()...};
}

template <typename... T>
constexpr std::array<std::array<Storage, FUSED_TYPES>, FUSED_TYPES> commonTable() {
  return {commonWith<T, T...>()...};
}

/// The common type of two compute types, in the order of Storage.
constexpr auto COMMON =
    commonTable<float, double, int8_t, int16_t, int32_t, LongType, uint8_t, uint16_t, uint32_t, uint64_t>();

/// One operand of the loop.
struct Stream {
  char* data;
  simd::ConvertLoop convert;
  int size;     ///< of an element in memory, in bytes
  bool direct;  ///< the loop takes the elements as they are stored
};

struct Loop {
  Plan plan;
  int inputs;
  FusedLoop loop;
  const void* params;
  int cost;
  Stream streams[MAX_OPERANDS];

  void processRun(char* const* data, const LongType* strides, LongType n) const {
    alignas(64) unsigned char tiles[MAX_OPERANDS][TILE * sizeof(double)];
    const void* in[FUSED_OPERANDS];
    bool tiled = !(streams[0].direct && strides[0] == 1);
    for (int k = 1; k <= inputs; k++) {
      if (strides[k] == 0) streams[k].convert(data[k], 0, tiles[k], 1, std::min(n, TILE));
      tiled = tiled || strides[k] == 0 || !(streams[k].direct && strides[k] == 1);
    }
    const LongType step = tiled ? TILE : n;
    for (LongType i = 0; i < n; i += step) {
      const LongType length = std::min(step, n - i);
      for (int k = 1; k <= inputs; k++) {
        char* const from = data[k] + i * strides[k] * streams[k].size;
        if (streams[k].direct && strides[k] == 1) {
          in[k - 1] = from;
        } else {
          if (strides[k] != 0) streams[k].convert(from, strides[k], tiles[k], 1, length);
          in[k - 1] = tiles[k];
        }
      }
      char* const to = data[0] + i * strides[0] * streams[0].size;
      if (streams[0].direct && strides[0] == 1) {
        loop(in, to, length, params);
      } else {
        loop(in, tiles[0], length, params);
        streams[0].convert(tiles[0], 1, to, strides[0], length);
      }
    }
  }

  void run() {
    plan.finish();
    const int threads = threadsForPlan(plan, cost);
    const Chunks chunks(plan, threads);
    execution::parallelFor(plan.outerCount() * chunks.count, threads, [&](LongType start, LongType stop) {
      walkChunks(plan, chunks, streams, start, stop,
                 [&](char* const* data, LongType n) { processRun(data, plan.inner().stride, n); });
    });
  }
};

constexpr const char* NAMES[] = {"x", "y", "w"};

/// Requires that z has exactly the broadcast shape of the inputs.
void requireBroadcast(const FusedOp& op, const Operand* in, const Operand& z, LongType (*strides)[SD_MAX_RANK]) {
  const Space space{z.rank, z.sizes};
  bool exact = true;
  for (int k = 0; k < op.operands; k++) exact = exact && matchBroadcast(in[k], space, strides[k]);
  for (int i = 0; exact && i < z.rank; i++) {
    LongType size = 1;
    for (int k = 0; k < op.operands; k++) {
      const int axis = i - (z.rank - in[k].rank);
      if (axis >= 0) size = in[k].sizes[axis] == 1 ? size : in[k].sizes[axis];
    }
    exact = z.sizes[i] == size;
  }
  if (exact) return;
  std::string shapes;
  for (int k = 0; k < op.operands; k++)
    shapes += (k == 0 ? "" : k + 1 == op.operands ? " and " : ", ") + shapeText(in[k]) + " of " + NAMES[k];
  fail("[{}] {} {} {} not broadcast to shape {} of z", op.name, op.operands == 1 ? "shape" : "shapes", shapes,
       op.operands == 1 ? "does" : "do", shapeText(z));
}

}  // namespace

Storage arithmeticType(Storage storage, Storage truth) {
  if (storage == simd::F16 || storage == simd::BF16) return simd::F32;
  return storage == simd::BOOLEAN ? truth : storage;
}

Storage floatFor(Storage storage) {
  if (storage == simd::F32 || storage == simd::F64) return storage;
  return sizeOf(storage) <= 2 ? simd::F32 : simd::F64;
}

FusedParams::FusedParams(const double* params, Storage compute) {
  const double none[COUNT] = {};
  simd::kernels().convert[simd::F64][compute](params == nullptr ? none : params, 1, _values, 1, COUNT);
}

void fused(const FusedOp& op, const In* inputs, Out zOut, const double* params) {
  const Operand z = operand(op.name, "z", zOut.data, zOut.info);
  Operand in[FUSED_OPERANDS];
  Storage compute = op.truth ? simd::I8 : arithmeticType(z.storage, simd::I8);
  for (int k = 0; k < op.operands; k++) {
    in[k] = operand(op.name, NAMES[k], inputs[k].data, inputs[k].info);
    const Storage own = arithmeticType(in[k].storage, simd::I8);
    compute = k == 0 && op.truth ? own : COMMON[compute][own];
  }
  if (op.computesInFloat) compute = floatFor(compute);
  if (op.truth && z.type != BOOL)
    fail<datatype_exception>("[{}] argument 'z': type {} where BOOL is needed", op.name, typeText(z.type));
  if (op.loops[compute] == nullptr)
    fail<datatype_exception>("[{}] the operation does not support the type of x", op.name);
  LongType strides[FUSED_OPERANDS][SD_MAX_RANK];
  requireBroadcast(op, in, z, strides);
  if (z.empty()) return;
  requireDistinctElements(op.name, z);
  for (int k = 0; k < op.operands; k++) requireNoOverlap(op.name, z, NAMES[k], in[k]);
  const bool integers = compute != simd::F32 && compute != simd::F64;
  if (op.divisor >= 0 && integers) requireNonZero(op.name, NAMES[op.divisor], in[op.divisor]);

  const FusedParams converted(params, compute);
  const Storage result = op.truth ? simd::BOOLEAN : compute;
  const auto& convert = simd::kernels().convert;
  Loop loop{Plan(op.operands + 1), op.operands, op.loops[compute], converted.data(), op.cost, {}};
  loop.streams[0] = {z.data, convert[result][z.storage], z.elementSize, result == z.storage};
  for (int k = 0; k < op.operands; k++)
    loop.streams[k + 1] = {in[k].data, convert[in[k].storage][compute], in[k].elementSize, in[k].storage == compute};
  for (int i = 0; i < z.rank; i++) {
    LongType row[MAX_OPERANDS] = {z.strides[i]};
    for (int k = 0; k < op.operands; k++) row[k + 1] = strides[k][i];
    loop.plan.add(z.sizes[i], row);
  }
  loop.run();
}

}  // namespace sd::loops
