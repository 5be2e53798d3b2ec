#include <array/NDArray.h>
#include <execution/Parallel.h>
#include <helpers/MmulHelper.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>
#include <optional>

#include "array/NDArrayCommon.h"
#include "linalg/MatrixProduct.h"
#include "shape/matmul.h"

namespace sd {

namespace {

NDArray inFloat(const NDArray& array) {
  NDArray converted(array.shapeInfo(), FLOAT32, false, array.getContext(), false);
  converted.assign(array);
  return converted;
}

void checkOperand(const char* name, const NDArray* array) {
  if (array == nullptr) fail("[matmul] {} is null", name);
  if (array->shapeInfo() == nullptr) fail("[matmul] {} has no shape", name);
  if (array->isS() || array->isB())
    fail("[matmul] {} has type {}, which matrix products do not support", name, arrays::typeText(array->dataType()));
}

void checkTypes(const NDArray& x, const NDArray& y, const NDArray& z) {
  if (x.dataType() != y.dataType() || x.dataType() != z.dataType())
    fail<datatype_exception>("[matmul] the operand types {} and {} and the result type {} differ",
                             arrays::typeText(x.dataType()), arrays::typeText(y.dataType()),
                             arrays::typeText(z.dataType()));
}

// The last two dimensions as a matrix. A rank-1 array is a row on the left, and a column on the right and in the
// result.
MatrixOperand matrixOf(const NDArray& array, bool transposed, bool asRow) {
  void* data = const_cast<void*>(array.buffer());
  const int rank = array.rankOf();
  if (rank == 0) return {data, 1, 1, 1, 1};
  const LongType *dims = array.shapeInfo() + 1, *strides = dims + rank;
  if (rank == 1) {
    if (asRow) return {data, 1, dims[0], std::max<LongType>(dims[0], 1), strides[0]};
    return {data, dims[0], 1, strides[0], 1};
  }
  // The stride of a unit dimension is never used: it is set to what BLAS expects.
  MatrixOperand m{data, dims[rank - 2], dims[rank - 1], strides[rank - 2], strides[rank - 1]};
  if (m.columns == 1) m.columnStride = m.rowStride == 1 ? std::max<LongType>(m.rows, 1) : 1;
  if (m.rows == 1) m.rowStride = m.columnStride == 1 ? std::max<LongType>(m.columns, 1) : 1;
  return transposed ? m.transposed() : m;
}

bool sharesMemory(const NDArray& a, const NDArray& b) { return a.getDataBuffer().get() == b.getDataBuffer().get(); }

// The array itself, or a copy with strides that BLAS accepts.
const NDArray& readable(const NDArray& array, const NDArray& z, std::optional<NDArray>& copy) {
  const bool vector = array.rankOf() <= 1;
  const bool plain = vector ? array.rankOf() == 0 || array.strideAt(0) >= 1 : matrixOf(array, false, false).isPlain();
  if (plain && !sharesMemory(array, z)) return array;
  copy.emplace(array.dup('c'));
  return *copy;
}

LongType batchOffset(LongType batch, const NDArray& array) {
  const int rank = array.rankOf();
  LongType coords[SD_MAX_RANK], offset = 0;
  shape::index2coords(batch, rank - 2, array.shapeInfo() + 1, coords);
  for (int d = 0; d < rank - 2; d++) offset += coords[d] * array.stridesOf()[d];
  return offset;
}

void multiply(const NDArray& x, const NDArray& y, NDArray& z, bool transX, bool transY, double alpha, double beta,
              Multiplier by) {
  const DataType type = x.dataType();
  const MatrixOperand a = matrixOf(x, transX, true), b = matrixOf(y, transY, false);
  MatrixOperand c = matrixOf(z, false, x.rankOf() == 1);
  if (x.rankOf() == 1 && y.rankOf() == 1) c = {z.buffer(), 1, 1, 1, 1};
  if (z.rankOf() <= 2) {
    multiplyMatrices(type, a, b, c, alpha, beta, by);
    return;
  }
  const LongType batches = z.lengthOf() / (c.rows * c.columns);
  const size_t size = z.sizeOfT();
  auto run = [&](LongType first, LongType last) {
    for (LongType batch = first; batch < last; batch++) {
      MatrixOperand am = a, bm = b, cm = c;
      am.data = static_cast<char*>(a.data) + batchOffset(batch, x) * static_cast<LongType>(size);
      bm.data = static_cast<char*>(b.data) + batchOffset(batch, y) * static_cast<LongType>(size);
      cm.data = static_cast<char*>(c.data) + batchOffset(batch, z) * static_cast<LongType>(size);
      multiplyMatrices(type, am, bm, cm, alpha, beta, by);
    }
  };
  // A large product uses threads inside itself; small products are distributed over threads.
  const double cost =
      0.1 * static_cast<double>(c.rows) * static_cast<double>(c.columns) * static_cast<double>(a.columns);
  if (cost > 1e6)
    run(0, batches);
  else
    execution::parallelFor(batches, execution::threadsFor(cost * static_cast<double>(batches)), run);
}

}  // namespace

void MmulHelper::matmul(const NDArray* x, const NDArray* y, NDArray* z, bool transX, bool transY, double alpha,
                        double beta) {
  checkOperand("argument 0 'x'", x);
  checkOperand("argument 1 'y'", y);
  checkOperand("the result 'z'", z);
  multiplyArrays(*x, *y, *z, transX, transY, alpha, beta, Multiplier::Blas);
}

void multiplyArrays(const NDArray& x, const NDArray& y, NDArray& z, bool transX, bool transY, double alpha, double beta,
                    Multiplier by) {
  checkTypes(x, y, z);
  transX = transX && x.rankOf() > 1;
  transY = transY && y.rankOf() > 1;
  LongType dims[SD_MAX_RANK];
  const int rank = shape::matmulSizes(x.shapeInfo(), y.shapeInfo(), transX, transY, dims);
  const bool same = z.rankOf() == rank && std::equal(dims, dims + rank, shape::shapeOf(z.shapeInfo()));
  if (!same && !(rank == 0 && z.lengthOf() == 1) && !z.isSameShape(std::vector<LongType>(dims, dims + rank)))
    invalidArgument("[matmul] the result of shapes {} and {} has shape {}, not {}", arrays::shapeText(x),
                    arrays::shapeText(y), ShapeUtils::shapeAsString(std::vector<LongType>(dims, dims + rank)),
                    arrays::shapeText(z));
  if (!z.hasElements()) return;
  if (!x.hasElements() || !y.hasElements()) {
    if (beta == 0)
      z.nullify();
    else
      z *= beta;
    return;
  }
  if (DataTypeUtils::isHalf(z.dataType())) {
    const NDArray floatX = inFloat(x), floatY = inFloat(y);
    NDArray result = inFloat(z);
    multiplyArrays(floatX, floatY, result, transX, transY, alpha, beta, by);
    z.assign(result);
    return;
  }
  std::optional<NDArray> copyX, copyY;
  const NDArray &readX = readable(x, z, copyX), &readY = readable(y, z, copyY);
  const bool plainZ = z.rankOf() <= 1 ? z.rankOf() == 0 || z.strideAt(0) >= 1 : matrixOf(z, false, false).isPlain();
  if (plainZ) {
    multiply(readX, readY, z, transX, transY, alpha, beta, by);
  } else {
    NDArray result = z.dup('c');
    multiply(readX, readY, result, transX, transY, alpha, beta, by);
    z.assign(result);
  }
}

namespace {

// A vector, or shape {1, 1}.
bool isLine(const NDArray& array) { return array.isVector() || (array.rankOf() == 2 && array.lengthOf() == 1); }

// Vectors of equal length that give a dot product; not a row and a column.
bool areDotted(const NDArray& a, const NDArray& b) {
  if (a.lengthOf() != b.lengthOf() || (a.rankOf() == 1 && b.rankOf() == 1)) return false;
  if (a.rankOf() == 2 && b.rankOf() == 2) return a.isSameShape(b) && a.lengthOf() > 1 && a.isVector();
  return isLine(a) && isLine(b) && (a.rankOf() == 1 || a.sizeAt(1) == 1);
}

}  // namespace

namespace {

// Repeats a matrix over the leading dimensions of another array.
NDArray batchOf(const NDArray& matrix, const NDArray& other) {
  std::vector<LongType> dims(other.shapeOf(), other.shapeOf() + other.rankOf() - 2);
  dims.insert(dims.end(), {matrix.sizeAt(0), matrix.sizeAt(1)});
  if (std::find(dims.begin(), dims.end(), 0) != dims.end())
    return NDArray('c', dims, matrix.dataType(), matrix.getContext());
  const int rank = other.rankOf();
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(info, matrix.dataType(), 'c', rank, dims.data());
  std::fill_n(shape::stride(info), rank - 2, LongType(0));
  std::copy_n(matrix.stridesOf(), 2, shape::stride(info) + rank - 2);
  shape::checkStridesEwsAndOrder(info);
  return matrix.viewOf(info, 0);
}

}  // namespace

NDArray* MmulHelper::mmul(const NDArray* A, const NDArray* B, NDArray* C, double alpha, double beta, char outOrder) {
  checkOperand("argument 0", A);
  checkOperand("argument 1", B);
  if (areDotted(*A, *B)) {
    const NDArray a = A->reshape('c', {A->lengthOf()}), b = B->reshape('c', {B->lengthOf()});
    return mmul(&a, &b, C, alpha, beta, outOrder);
  }
  if (A->rankOf() == 2 && B->rankOf() > 2) {
    const NDArray a = batchOf(*A, *B);
    return mmul(&a, B, C, alpha, beta, outOrder);
  }
  if (A->rankOf() > 2 && B->rankOf() == 2) {
    const NDArray b = batchOf(*B, *A);
    return mmul(A, &b, C, alpha, beta, outOrder);
  }
  if (C != nullptr) {
    matmul(A, B, C, false, false, alpha, beta);
    return C;
  }
  checkTypes(*A, *B, *A);
  const std::vector<LongType> dims = ShapeUtils::evalShapeForMatmul(A->shapeInfo(), B->shapeInfo(), false, false);
  auto result = dims.empty() ? std::make_unique<NDArray>(A->dataType(), A->getContext())
                             : std::make_unique<NDArray>(outOrder, dims, A->dataType(), A->getContext());
  matmul(A, B, result.get(), false, false, alpha, 0.0);
  return result.release();
}

NDArray mmul(const NDArray& a, const NDArray& b) {
  const std::unique_ptr<NDArray> product(MmulHelper::mmul(&a, &b));
  return std::move(*product);
}

// ---- tensors

namespace {

NDArray contracted(const NDArray* a, const NDArray* b, const std::vector<int>& axesA,
                   const std::vector<int>& givenAxesB) {
  const std::vector<int>& axesB = givenAxesB.empty() ? axesA : givenAxesB;
  checkOperand("argument 0", a);
  checkOperand("argument 1", b);
  checkTypes(*a, *b, *a);
  std::vector<int> permutA, permutB;
  std::vector<LongType> matrixA, matrixB;
  const std::vector<LongType> dims = ShapeUtils::evalShapeForTensorDot(a->shapeInfo(), b->shapeInfo(), axesA, axesB,
                                                                       permutA, permutB, matrixA, matrixB);
  NDArray result = arrays::zeros(a->dataType(), dims);
  if (!result.hasElements() || !a->hasElements() || !b->hasElements()) return result;
  const NDArray x = (permutA.empty() ? a->reshape('c', matrixA) : a->permute(permutA).reshape('c', matrixA));
  const NDArray y = (permutB.empty() ? b->reshape('c', matrixB) : b->permute(permutB).reshape('c', matrixB));
  NDArray product = result.reshape('c', {matrixA[0], matrixB[1]});
  MmulHelper::matmul(&x, &y, &product, false, false);
  return result;
}

}  // namespace

NDArray* MmulHelper::tensorDot(const NDArray* a, const NDArray* b, const std::vector<int>& axesA,
                               const std::vector<int>& axesB) {
  return new NDArray(contracted(a, b, axesA, axesB));
}

NDArray* MmulHelper::tensorDot(const NDArray* a, const NDArray* b, const std::initializer_list<int>& axesA,
                               const std::initializer_list<int>& axesB) {
  return tensorDot(a, b, std::vector<int>(axesA), std::vector<int>(axesB));
}

void MmulHelper::tensorDot(const NDArray* a, const NDArray* b, NDArray* c, const std::vector<int>& axesA,
                           const std::vector<int>& axesB, const std::vector<int>& permutForC) {
  checkOperand("the result", c);
  const NDArray product = contracted(a, b, axesA, axesB);
  NDArray target = permutForC.empty() ? c->reshape(c->ordering(), c->getShapeAsVector()) : c->permute(permutForC);
  checkTypes(*a, *b, target);
  if (!target.isSameShape(product))
    fail("[tensorDot] the result has shape {}, {} expected", arrays::shapeText(target), arrays::shapeText(product));
  if (product.hasElements()) target.assign(product);
}

// ---- tensors after reshapes and permutations

namespace {

using Steps = std::vector<std::vector<LongType>>;

NDArray viewOf(const NDArray& array) { return array.viewOf(array.shapeInfo(), 0); }

NDArray after(const std::vector<LongType>& step, const NDArray& array) {
  const bool permutes = std::find(step.begin(), step.end(), 0) != step.end();
  return permutes ? array.permute(step) : array.reshape(array.ordering(), step);
}

NDArray afterAll(const char* name, const Steps& steps, const NDArray* array) {
  checkOperand(name, array);
  NDArray result = viewOf(*array);
  for (const auto& step : steps) result = after(step, result);
  return result;
}

}  // namespace

NDArray* MmulHelper::tensorDot(const NDArray* a, const NDArray* b, const Steps& modifA, const Steps& modifB) {
  const NDArray x = afterAll("argument 0", modifA, a), y = afterAll("argument 1", modifB, b);
  return mmul(&x, &y, nullptr, 1.0, 0.0);
}

void MmulHelper::tensorDot(const NDArray* a, const NDArray* b, NDArray* c, const Steps& modifA, const Steps& modifB,
                           const Steps& modifC) {
  const NDArray x = afterAll("argument 0", modifA, a), y = afterAll("argument 1", modifB, b);
  checkOperand("the result", c);
  std::vector<NDArray> stages;
  stages.push_back(viewOf(*c));
  for (const auto& step : modifC) {
    NDArray next = after(step, stages.back());
    stages.push_back(std::move(next));
  }
  mmul(&x, &y, &stages.back(), 1.0, 0.0);
  // A reshape that had to copy keeps the order of the elements, so the result is assigned back stage by stage.
  for (size_t i = stages.size() - 1; i > 0; i--)
    if (!sharesMemory(stages[i], stages[i - 1])) stages[i - 1].assign(stages[i]);
}

}  // namespace sd
