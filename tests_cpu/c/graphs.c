/* Graphs from C: a loop that is put together, errors. */
#include <legacy/NativeOps.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(bool ok, const char* what) {
  if (ok) return;
  failures++;
  printf("differs: %s\n", what);
}

static bool failed(const char* part) {
  return lastErrorCode() == 1 && strstr(lastErrorMessage(), part) != NULL && lastErrorCode() == 0;
}

static const sd_LongType* infoOf(int rank, sd_LongType a, sd_LongType b) {
  sd_LongType dims[2], strides[2];
  OpaqueConstantShapeBuffer* shape;
  const sd_LongType* info;
  dims[0] = a;
  dims[1] = b;
  strides[0] = b;
  strides[1] = 1;
  shape = shapeBuffer(rank, dims, strides, sd_FLOAT32, 'c', 1, false);
  info = (const sd_LongType*)getConstantShapeBufferPrimary(shape);
  deleteConstantShapeBuffer(shape);
  return info;
}

/* while (x < limit) x = x * 2 */
static void loop(void) {
  enum { CONDITION = 10, BODY = 20, WHILE = 0 };
  sd_Pointer state = getGraphState(1);
  const int zeros[] = {0, 0}, zeroAndOne[] = {0, 1}, product[] = {2, 0};
  float x = 3, limit = 20, result[2] = {0, 0};
  sd_Pointer inputs[2], outputs[1], shapes[2];
  sd_LongType scopes[] = {CONDITION, BODY}, unknown[] = {CONDITION, 30};
  double two = 2;
  OpaqueContext* arguments = createGraphContext(1);
  setGraphContextTArguments(arguments, &two, 1);
  check(registerScopeOfGraphState(state, CONDITION) == sd_OK, "the scope of the condition");
  check(registerScopeOfGraphState(state, BODY) == sd_OK, "the scope of the body");
  check(attachOpToScopeOfGraphState(state, CONDITION, 1, opHash("less"), NULL, zeros, zeroAndOne, 2) == sd_OK, "less");
  check(attachOpToScopeOfGraphState(state, BODY, 2, opHash("scalar.Multiply"), arguments, zeros, zeros, 1) == sd_OK,
        "a product");
  check(defineReturnOfGraphState(state, BODY, 3, product, zeroAndOne, 2) == sd_OK, "return");
  deleteGraphContext(arguments);
  inputs[0] = &x;
  inputs[1] = &limit;
  outputs[0] = result;
  shapes[0] = shapes[1] = (sd_Pointer)infoOf(0, 0, 0);
  check(execCustomOpWithScope(NULL, state, WHILE, scopes, 2, inputs, shapes, 2, outputs, shapes, 1) == sd_OK, "a loop");
  check(result[0] == 24 && x == 3, "the value of the loop");
  check(lastErrorCode() == 0, "no error");
  check(execCustomOpWithScope(NULL, state, WHILE, unknown, 2, inputs, shapes, 2, outputs, shapes, 1) ==
                sd_KERNEL_FAILURE &&
            failed("no scope 30"),
        "an unknown scope");
  shapes[0] = (sd_Pointer)infoOf(1, 2, 1);
  check(execCustomOpWithScope(NULL, state, WHILE, scopes, 2, inputs, shapes + 1, 1, outputs, shapes, 1) != sd_OK &&
            lastErrorCode() == 1,
        "a loop without a limit");
  lastErrorMessage();
  deleteGraphState(state);
}

int main(void) {
  loop();
  if (failures == 0) printf("ok graphs\n");
  return failures != 0;
}
