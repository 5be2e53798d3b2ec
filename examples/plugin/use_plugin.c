/* Loads a library of operations from C and calls an operation by its hash: use_plugin_c MYOPS CLASH NO_LIBRARY. */
#include <legacy/NativeOps.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(bool ok, const char* what) {
  if (ok) return;
  failures++;
  printf("differs: %s\n", what);
}

/* The hash after a name in the list "name:hash:...;name:hash:...;"; 0 when the name is not in the list. */
static sd_LongType hashOf(const char* name) {
  const char* at = getAllCustomOps();
  const size_t length = strlen(name);
  while (at != NULL && *at != '\0') {
    if (strncmp(at, name, length) == 0 && at[length] == ':') return strtoll(at + length + 1, NULL, 10);
    at = strchr(at, ';');
    if (at != NULL) at++;
  }
  return 0;
}

static void tearRows(void) {
  sd_LongType dims[] = {2, 3}, strides[] = {3, 1}, along[] = {1};
  float x[] = {1, 2, 3, 4, 5, 6}, first[3], second[3];
  OpaqueConstantShapeBuffer* shape = shapeBuffer(2, dims, strides, sd_FLOAT32, 'c', 1, false);
  sd_Pointer inputs[] = {x}, infos[] = {getConstantShapeBufferPrimary(shape)}, outputs[] = {first, second};
  sd_Pointer outputInfos[2];
  const sd_LongType tear_apart = hashOf("tear_apart");
  OpaqueShapeList* shapes =
      calculateOutputShapes2(NULL, tear_apart, inputs, infos, 1, NULL, 0, along, 1, NULL, 0, NULL, 0);
  check(shapes != NULL && getShapeListSize(shapes) == 2, "two rows");
  if (shapes == NULL) return;
  outputInfos[0] = (sd_Pointer)getShape(shapes, 0);
  outputInfos[1] = (sd_Pointer)getShape(shapes, 1);
  check(getShape(shapes, 0)[0] == 1 && getShape(shapes, 0)[1] == 3, "shape of a row");
  check(execCustomOp(NULL, tear_apart, inputs, infos, 1, outputs, outputInfos, 2, NULL, 0, along, 1, NULL, 0, false) ==
            sd_OK,
        "tear_apart");
  check(first[2] == 3 && second[0] == 4, "rows");
  along[0] = 5;
  check(execCustomOp(NULL, tear_apart, inputs, infos, 1, outputs, outputInfos, 2, NULL, 0, along, 1, NULL, 0, false) !=
            sd_OK,
        "dimension 5");
  check(lastErrorCode() == 1 && strstr(lastErrorMessage(), "[tear_apart]") != NULL, "message");
  deleteShapeList(shapes);
  deleteConstantShapeBuffer(shape);
}

static void growth(void) {
  sd_LongType dims[] = {3}, strides[] = {1};
  float x[] = {0.5f, 1, 2}, rate[] = {4, 3, 2}, z[3];
  OpaqueConstantShapeBuffer* shape = shapeBuffer(1, dims, strides, sd_FLOAT32, 'c', 1, false);
  const sd_Pointer info = getConstantShapeBufferPrimary(shape);
  sd_Pointer inputs[] = {x, rate}, infos[] = {info, info}, outputs[] = {z}, outputInfos[] = {info};
  check(execCustomOp(NULL, hashOf("logistic"), inputs, infos, 2, outputs, outputInfos, 1, NULL, 0, NULL, 0, NULL, 0,
                     false) == sd_OK,
        "logistic");
  check(z[0] == 1 && z[1] == 0 && z[2] == -4, "values of logistic");
  deleteConstantShapeBuffer(shape);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  check(hashOf("tear_apart") == 0, "not there yet");
  check(loadOpLibrary(argv[1]) == 0 && lastErrorCode() == 0, "load");
  check(hashOf("tear_apart") != 0 && hashOf("rescale") != 0, "in the list");
  check(describeOperation("tear_apart") != NULL && strstr(describeOperation("tear_apart"), "sub-arrays") != NULL,
        "description");
  tearRows();
  growth();
  check(loadOpLibrary(argv[1]) == 0, "twice");
  check(loadOpLibrary(argv[2]) != 0 && strstr(lastErrorMessage(), "tear_apart") != NULL, "a name that exists");
  check(loadOpLibrary(argv[3]) != 0 && lastErrorCode() == 1, "no library");
  lastErrorMessage();
  check(loadOpLibrary("no/such/file.so") != 0, "a missing file");
  check(loadOpLibrary(NULL) != 0 && lastErrorCode() == 1, "no path");
  if (failures == 0) printf("ok use_plugin_c\n");
  return failures != 0;
}
