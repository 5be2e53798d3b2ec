/* Runs the graph of digits.cpp from C: use_graph digits.fb. */
#include <legacy/NativeOps.h>
#include <stdio.h>

enum { GRAPH = 1 };

static const unsigned char digit[64] = {
    0, 0, 5,  13, 9,  1,  0,  0, /* a handwritten zero; pixels are 0 to 16 */
    0, 0, 13, 15, 10, 15, 5,  0, /**/
    0, 3, 15, 2,  0,  11, 8,  0, /**/
    0, 4, 12, 0,  0,  8,  8,  0, /**/
    0, 5, 8,  0,  0,  9,  8,  0, /**/
    0, 4, 11, 0,  1,  12, 7,  0, /**/
    0, 2, 14, 5,  10, 12, 0,  0, /**/
    0, 0, 6,  13, 10, 0,  0,  0, /**/
};

int main(int argc, char** argv) {
  sd_LongType sizes[] = {1, 8, 8}, strides[] = {64, 8, 1};
  OpaqueConstantShapeBuffer* shape;
  OpaqueVariablesSet* results;
  sd_Pointer buffers[1], shapes[1];
  int inputs[] = {-1}; /* the number of x */
  if (argc != 2) return 2;
  if (registerGraphFromFile(NULL, GRAPH, argv[1]) != sd_OK) {
    printf("%s\n", lastErrorMessage());
    return 1;
  }
  shape = shapeBuffer(3, sizes, strides, sd_UINT8, 'c', 1, false);
  buffers[0] = (sd_Pointer)digit;
  shapes[0] = (sd_Pointer)getConstantShapeBufferPrimary(shape);
  results = executeStoredGraph(NULL, GRAPH, buffers, shapes, inputs, 1);
  if (results == NULL || getVariablesSetStatus(results) != sd_OK) {
    printf("%s\n", lastErrorMessage());
    return 1;
  }
  printf("this is a %lld\n", *(const long long*)getVariableBuffer(getVariable(results, 0)));
  deleteVariablesSet(results);
  deleteConstantShapeBuffer(shape);
  unregisterGraph(NULL, GRAPH);
  return 0;
}
