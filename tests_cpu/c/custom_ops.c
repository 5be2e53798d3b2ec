/* Custom operations from C: lists, shapes, calls by hash, contexts, errors. */
#include <legacy/NativeOps.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The hash of "add", which is part of the interface. */
#define ADD (-5176033361941572836LL)

static int failures = 0;

static void check(bool ok, const char* what) {
  if (ok) return;
  failures++;
  printf("differs: %s\n", what);
}

static bool failed(const char* part) {
  return lastErrorCode() == 1 && strstr(lastErrorMessage(), part) != NULL && lastErrorCode() == 0;
}

static const sd_LongType* vectorInfo(sd_LongType length, sd_DataType type) {
  static sd_LongType stride = 1;
  OpaqueConstantShapeBuffer* shape = shapeBuffer(1, &length, &stride, type, 'c', 1, length == 0);
  const sd_LongType* info = (const sd_LongType*)getConstantShapeBufferPrimary(shape);
  deleteConstantShapeBuffer(shape);
  return info;
}

static void lists(void) {
  const char* all = getAllCustomOps();
  const char* at = strstr(all, ";add:");
  check(at != NULL && strtoll(at + 5, NULL, 10) == ADD, "add and its hash");
  at = strstr(all, ";Sub:");
  check(at != NULL && strstr(all, ";subtract:") != NULL, "an alias");
  check(at != NULL && strtoll(at + 5, NULL, 10) == strtoll(strstr(all, ";subtract:") + 10, NULL, 10),
        "the hash of an alias is that of the main name");
  check(strstr(describeOperation("add"), "\"formula\":\"z = x + y\"") != NULL, "description");
  check(strstr(describeOperation("pairwise.Add"), "\"kind\":\"numbered\"") != NULL, "description of a numbered one");
  check(describeOperation("nothing") == NULL && failed("nothing"), "an unknown name");
  check(describeOperation(NULL) == NULL && failed("null"), "no name");
}

static void direct(void) {
  float x[] = {1, 2, 3}, y[] = {10, 20, 30}, z[] = {0, 0, 0};
  const sd_LongType* info = vectorInfo(3, sd_FLOAT32);
  sd_Pointer inputs[] = {x, y}, infos[] = {(sd_Pointer)info, (sd_Pointer)info}, outputs[] = {z};
  OpaqueShapeList* shapes = calculateOutputShapes2(NULL, ADD, inputs, infos, 2, NULL, 0, NULL, 0, NULL, 0, NULL, 0);
  check(getShapeListSize(shapes) == 1 && getShape(shapes, 0)[1] == 3, "shape");
  check(getShape(shapes, 1) == NULL && failed("outside 0..0"), "a shape that is not there");
  deleteShapeList(shapes);
  shapes = calculateOutputShapes(NULL, ADD, infos, 2, NULL, 0, NULL, 0);
  check(getShapeListSize(shapes) == 1 && getShape(shapes, 0)[1] == 3, "shape from shapes");
  deleteShapeList(shapes);
  check(execCustomOp(NULL, ADD, inputs, infos, 2, outputs, infos, 1, NULL, 0, NULL, 0, NULL, 0, false) == sd_OK,
        "call");
  check(z[0] == 11 && z[2] == 33, "sum");
  check(
      execCustomOp(NULL, ADD, inputs, infos, 2, NULL, NULL, 0, NULL, 0, NULL, 0, NULL, 0, true) == sd_OK && x[1] == 22,
      "in place");
  check(lastErrorCode() == 0, "no error");
  check(execCustomOp(NULL, 7, inputs, infos, 2, outputs, infos, 1, NULL, 0, NULL, 0, NULL, 0, false) ==
                sd_BAD_ARGUMENTS &&
            failed("hash 7"),
        "an unknown hash");
  check(execCustomOp(NULL, ADD, NULL, infos, 2, outputs, infos, 1, NULL, 0, NULL, 0, NULL, 0, false) == sd_BAD_INPUT &&
            failed("inputBuffers"),
        "no inputs");
  check(
      execCustomOp(NULL, ADD, inputs, infos, -2, outputs, infos, 1, NULL, 0, NULL, 0, NULL, 0, false) == sd_BAD_INPUT &&
          failed("-2"),
      "a negative count");
}

static void contexts(void) {
  OpaqueContext* context = createGraphContext(1);
  OpaqueDataBuffer *x = allocateDataBuffer(3, sd_FLOAT32, false), *z = allocateDataBuffer(3, sd_FLOAT32, false);
  void* info = (void*)vectorInfo(3, sd_FLOAT32);
  void* longer = (void*)vectorInfo(4, sd_FLOAT32);
  float* values = (float*)dbPrimaryBuffer(x);
  values[0] = 1, values[1] = 2, values[2] = 3;
  setGraphContextInputBuffer(context, 0, x, info, NULL);
  setGraphContextInputArray(context, 1, values, info, NULL, NULL);
  setGraphContextOutputBuffer(context, 0, z, info, NULL);
  check(execCustomOp2(NULL, ADD, context) == sd_OK && ((float*)dbPrimaryBuffer(z))[2] == 6, "call");
  values[2] = 4;
  check(execCustomOp2(NULL, ADD, context) == sd_OK && ((float*)dbPrimaryBuffer(z))[2] == 8, "the same context again");
  check(lastErrorCode() == 0, "no error");
  setGraphContextInputBuffer(context, 1, x, longer, NULL);
  check(failed("of a buffer of 3"), "a shape that does not fit its buffer");
  ctxPurge(context);
  check(dbUseCount(x) == 1, "a purge drops the arrays");
  check(execCustomOp2(NULL, ADD, context) == sd_VALIDATION && failed("[add]"), "no inputs");
  deleteGraphContext(context);
  deleteDataBuffer(x);
  deleteDataBuffer(z);
  check(execCustomOp2(NULL, ADD, NULL) == sd_VALIDATION && failed("null"), "no context");
}

int main(void) {
  lists();
  direct();
  contexts();
  if (failures == 0) printf("ok custom_ops\n");
  return failures != 0;
}
