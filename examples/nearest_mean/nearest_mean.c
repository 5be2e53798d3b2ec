/* Recognises handwritten digits by the nearest of ten mean images: nearest_mean_c [folder of the data]. */
#include <legacy/NativeOpsBindings.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  OpaqueDataBuffer* data;
  const sd_LongType* shape;
} Array;

static void check(void) {
  if (lastErrorCode() == 0) return;
  fprintf(stderr, "%s\n", lastErrorMessage());
  exit(1);
}

static Array load(const char* folder, const char* name) {
  char path[4096];
  OpaqueVariablesSet* set;
  OpaqueVariable* variable;
  Array array;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  set = loadArrays(path);
  check();
  variable = getVariable(set, 0);
  array.data = getVariableDataBuffer(variable);
  array.shape = getVariableShape(variable);
  deleteVariablesSet(set);
  return array;
}

static OpaqueContext* context(Array x, Array y) {
  OpaqueContext* call = createGraphContext(1);
  setGraphContextInputBuffer(call, 0, x.data, (void*)x.shape, NULL);
  if (y.data != NULL) setGraphContextInputBuffer(call, 1, y.data, (void*)y.shape, NULL);
  return call;
}

/* Runs the operation and frees the call. */
static Array run(const char* operation, OpaqueContext* call) {
  Array result;
  execCustomOp2(NULL, opHash(operation), call);
  check();
  result.data = getGraphContextOutput(call, 0, &result.shape);
  deleteGraphContext(call);
  return result;
}

static Array cast(Array x, int type) {
  const Array none = {NULL, NULL};
  OpaqueContext* call = context(x, none);
  setGraphContextArgumentTypes(call, "dtype", &type, 1);
  return run("cast", call);
}

int main(int count, char** arguments) {
  const char* folder = count > 1 ? arguments[1] : "examples/data";
  const Array none = {NULL, NULL};
  const sd_LongType rows[] = {-1, 64}, ten = 10, axis = 1;
  const bool yes = true;
  Array images = load(folder, "optdigits.npy"), marks = load(folder, "optdigits_labels.npy");
  Array reals = cast(images, sd_FLOAT32), labels = cast(marks, sd_INT64);
  Array pixels, means, patterns, likeness, found, equal, ones, sum;
  OpaqueContext* call;

  call = context(reals, none);
  setGraphContextArgumentIntegers(call, "shape", rows, 2);
  pixels = run("reshape", call);

  call = context(pixels, labels);
  setGraphContextArgumentIntegers(call, "num_segments", &ten, 1);
  means = run("unsorted_segment_mean", call);

  call = context(means, none);
  setGraphContextArgumentIntegers(call, "axis", &axis, 1);
  patterns = run("standardize", call);

  call = context(pixels, patterns);
  setGraphContextArgumentFlags(call, "transpose_b", &yes, 1);
  likeness = run("matmul", call);

  call = context(likeness, none);
  setGraphContextArgumentIntegers(call, "axis", &axis, 1);
  found = run("argmax", call);

  equal = run("equals", context(found, labels));
  ones = cast(equal, sd_INT64);
  sum = run("reduce_sum", context(ones, none));
  printf("%lld of %lld digits recognised\n", *(const long long*)dbPrimaryBuffer(sum.data), (long long)labels.shape[1]);

  {
    const Array all[] = {images, marks, reals, labels, pixels, means, patterns, likeness, found, equal, ones, sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) deleteDataBuffer(all[i].data);
  }
  return 0;
}
