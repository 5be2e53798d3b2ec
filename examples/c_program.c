/* A numbered operation from C: y = tanh x, then the sum of each row of y. */
#include <legacy/NativeOps.h>
#include <stdio.h>

enum { ROWS = 2, COLUMNS = 3, TANH = 29, SUM = 0 };

/* A contiguous array: its memory and its shape. */
typedef struct {
  OpaqueDataBuffer* data;
  OpaqueConstantShapeBuffer* shape;
} Array;

static Array make(int rank, const sd_LongType* dims, sd_DataType type) {
  sd_LongType sizes[2], strides[2], length = 1;
  for (int d = rank - 1; d >= 0; d--) {
    sizes[d] = dims[d];
    strides[d] = length;
    length *= dims[d];
  }
  Array array = {allocateDataBuffer(length, type, false), shapeBuffer(rank, sizes, strides, type, 'c', 1, false)};
  return array;
}

static const sd_LongType* info(Array array) { return getConstantShapeBufferPrimary(array.shape); }

static void release(Array array) {
  deleteDataBuffer(array.data);
  deleteConstantShapeBuffer(array.shape);
}

int main(void) {
  const sd_LongType matrix[] = {ROWS, COLUMNS}, one[] = {1};
  Array x = make(2, matrix, sd_FLOAT32), y = make(2, matrix, sd_FLOAT32), sums = make(1, matrix, sd_FLOAT32);
  Array axis = make(1, one, sd_INT32);
  float* values = dbPrimaryBuffer(x.data);
  for (int i = 0; i < ROWS * COLUMNS; i++) values[i] = 0.5f * (float)i;
  *(int*)dbPrimaryBuffer(axis.data) = 1;

  execTransformStrict(NULL, TANH, x.data, info(x), NULL, y.data, info(y), NULL, NULL);
  execReduceSame2(NULL, SUM, y.data, info(y), NULL, NULL, sums.data, info(sums), NULL, axis.data, info(axis), NULL);

  const int failed = lastErrorCode();
  if (failed) {
    fprintf(stderr, "%s\n", lastErrorMessage());
  } else {
    const float* row = dbPrimaryBuffer(sums.data);
    printf("sums of the rows: %.4f %.4f\n", row[0], row[1]);
  }
  release(x);
  release(y);
  release(sums);
  release(axis);
  return failed;
}
