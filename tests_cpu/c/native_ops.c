/* The C interface from C: buffers, shapes, numbered operations, sorting, random numbers, errors. */
#include <legacy/NativeOps.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Numbers of operations that this program uses. */
enum { TANH = 29, SUM = 0, MULTIPLY = 2, INDEX_MAX = 0, UNIFORM = 0 };

static int failures = 0;

static void check(bool ok, const char* what) {
  if (ok) return;
  failures++;
  printf("differs: %s\n", what);
}

typedef struct {
  OpaqueDataBuffer* data;
  OpaqueConstantShapeBuffer* shape;
  const sd_LongType* info;
} Tensor;

/* A contiguous array of zeros with the given dimensions. */
static Tensor tensor(sd_DataType type, int rank, sd_LongType a, sd_LongType b) {
  sd_LongType dims[2], strides[2], length;
  Tensor t;
  dims[0] = a;
  dims[1] = b;
  strides[0] = rank == 2 ? b : 1;
  strides[1] = 1;
  length = rank == 0 ? 1 : rank == 1 ? a : a * b;
  t.shape = shapeBuffer(rank, dims, strides, type, 'c', 1, length == 0);
  t.data = allocateDataBuffer(length, type, false);
  t.info = (const sd_LongType*)getConstantShapeBufferPrimary(t.shape);
  return t;
}

static void destroy(Tensor t) {
  deleteDataBuffer(t.data);
  deleteConstantShapeBuffer(t.shape);
}

static float* floats(Tensor t) { return (float*)dbPrimaryBuffer(t.data); }

static void numberedOperations(void) {
  Tensor x = tensor(sd_FLOAT32, 2, 2, 3), z = tensor(sd_FLOAT32, 2, 2, 3), sums = tensor(sd_FLOAT32, 1, 3, 0);
  Tensor axis = tensor(sd_INT32, 1, 1, 0), three = tensor(sd_FLOAT32, 0, 0, 0), best = tensor(sd_INT64, 0, 0, 0);
  int i;
  for (i = 0; i < 6; i++) floats(x)[i] = 0.5f * (float)(i - 2);
  execTransformStrict(NULL, TANH, x.data, x.info, NULL, z.data, z.info, NULL, NULL);
  for (i = 0; i < 6; i++) check(fabs(floats(z)[i] - tanh(0.5 * (i - 2))) < 1e-6, "tanh");
  ((int*)dbPrimaryBuffer(axis.data))[0] = 0;
  execReduceSame2(NULL, SUM, x.data, x.info, NULL, NULL, sums.data, sums.info, NULL, axis.data, axis.info, NULL);
  for (i = 0; i < 3; i++) check(fabs(floats(sums)[i] - 0.5 * (2 * i - 1)) < 1e-6, "sum over dimension 0");
  floats(three)[0] = 3;
  execScalar(NULL, MULTIPLY, x.data, x.info, NULL, z.data, z.info, NULL, three.data, three.info, NULL, NULL);
  check(floats(z)[5] == 4.5f, "product with a scalar");
  execIndexReduceScalar(NULL, INDEX_MAX, x.data, x.info, NULL, NULL, best.data, best.info, NULL);
  check(*(sd_LongType*)dbPrimaryBuffer(best.data) == 5, "position of the greatest element");
  check(lastErrorCode() == 0, "no error");
  destroy(x);
  destroy(z);
  destroy(sums);
  destroy(axis);
  destroy(three);
  destroy(best);
}

static void sorting(void) {
  Tensor x = tensor(sd_FLOAT32, 1, 5, 0);
  const float given[] = {3, 1, 5, 2, 4};
  int i;
  memcpy(floats(x), given, sizeof(given));
  sort(NULL, dbPrimaryBuffer(x.data), x.info, NULL, NULL, true);
  for (i = 0; i < 5; i++) check(floats(x)[i] == (float)(5 - i), "sorted");
  destroy(x);
}

static void randomNumbers(void) {
  Tensor z = tensor(sd_FLOAT32, 1, 100, 0);
  OpaqueRandomGenerator* generator = createRandomGenerator(119, 5);
  float range[] = {-1, 3};
  int i;
  execRandom(NULL, UNIFORM, generator, z.data, z.info, NULL, range);
  for (i = 0; i < 100; i++) check(floats(z)[i] >= -1 && floats(z)[i] <= 3, "range of random numbers");
  check(getRandomGeneratorNodeState(generator) != 5, "the generator moves on");
  check(lastErrorCode() == 0, "no error");
  deleteRandomGenerator(generator);
  destroy(z);
}

static void errors(void) {
  Tensor x = tensor(sd_FLOAT32, 1, 4, 0), longer = tensor(sd_FLOAT32, 1, 5, 0);
  execTransformStrict(NULL, TANH, x.data, longer.info, NULL, x.data, x.info, NULL, NULL);
  check(lastErrorCode() == 1, "a shape that does not fit its buffer is an error");
  check(strstr(lastErrorMessage(), "Tanh") != NULL, "the message names the operation");
  check(lastErrorCode() == 0, "reading the message clears the code");
  check(dbPrimaryBuffer(NULL) == NULL && lastErrorCode() == 1, "a null handle is an error");
  lastErrorMessage();
  destroy(x);
  destroy(longer);
}

int main(void) {
  check(lastErrorCode() == 0, "no error so far");
  initializeDevicesAndFunctions();
  check(strncmp(getAllOperations(), "0 -1:", 5) == 0, "list of operations");
  numberedOperations();
  sorting();
  randomNumbers();
  errors();
  if (failures == 0) printf("ok native_ops\n");
  return failures != 0;
}
