/* Calls an operation many times with the same operands, so that a caller in Python measures the operation and not
 * ctypes. There is one function for each pattern of arguments; `function` is the address of a function of the C
 * interface.
 */
#include <legacy/NativeOps.h>
#include <stddef.h>
#include <string.h>

typedef const sd_LongType* Shape;

/* A buffer operand without its device shapeInfo, which is NULL. */
#define OPERAND(X) OpaqueDataBuffer *X, Shape X##Shape
#define PASS(X) X, X##Shape, NULL

/* execTransform... */
void repeatTransform(__typeof__(&execTransformAny) function, long calls, int op, OPERAND(x), OPERAND(z)) {
  for (long i = 0; i < calls; i++) function(NULL, op, PASS(x), PASS(z), NULL);
}

/* execPairwiseTransform, execPairwiseTransformBool */
void repeatPairwise(__typeof__(&execPairwiseTransform) function, long calls, int op, OPERAND(x), OPERAND(y),
                    OPERAND(z)) {
  for (long i = 0; i < calls; i++) function(NULL, op, PASS(x), PASS(y), PASS(z), NULL);
}

/* execScalar: y is one element */
void repeatScalar(__typeof__(&execScalar) function, long calls, int op, OPERAND(x), OPERAND(y), OPERAND(z)) {
  for (long i = 0; i < calls; i++) function(NULL, op, PASS(x), PASS(z), PASS(y), NULL);
}

/* execBroadcast */
void repeatBroadcast(__typeof__(&execBroadcast) function, long calls, int op, OPERAND(x), OPERAND(y), OPERAND(z),
                     OPERAND(axes)) {
  for (long i = 0; i < calls; i++) function(NULL, op, PASS(x), PASS(y), PASS(z), PASS(axes));
}

/* execReduce..., execIndexReduceScalar: the whole array */
void repeatReduce(__typeof__(&execReduceSame) function, long calls, int op, OPERAND(x), OPERAND(z)) {
  for (long i = 0; i < calls; i++) function(NULL, op, PASS(x), NULL, PASS(z));
}

/* execReduce...2, execIndexReduce */
void repeatReduceAxes(__typeof__(&execReduceSame2) function, long calls, int op, OPERAND(x), OPERAND(z),
                      OPERAND(axes)) {
  for (long i = 0; i < calls; i++) function(NULL, op, PASS(x), NULL, PASS(z), PASS(axes));
}

/* execSummaryStatsScalar */
void repeatSummaryStats(__typeof__(&execSummaryStatsScalar) function, long calls, int op, OPERAND(x), OPERAND(z)) {
  for (long i = 0; i < calls; i++) function(NULL, op, PASS(x), NULL, PASS(z), false);
}

/* execSummaryStatsTad */
void repeatSummaryStatsAxes(__typeof__(&execSummaryStatsTad) function, long calls, int op, OPERAND(x), OPERAND(z),
                            OPERAND(axes)) {
  for (long i = 0; i < calls; i++) function(NULL, op, PASS(x), NULL, PASS(z), PASS(axes), false, NULL, NULL);
}

/* sort, of a copy of x in z, whose memory is `source` and `target` */
void repeatSort(__typeof__(&sort) function, long calls, int op, OPERAND(x), OPERAND(z), const void* source, void* target,
                size_t bytes) {
  (void)op, (void)x, (void)xShape, (void)z;
  for (long i = 0; i < calls; i++) {
    memcpy(target, source, bytes);
    function(NULL, target, zShape, NULL, NULL, false);
  }
}

/* execCustomOp2 */
void repeatCustom(__typeof__(&execCustomOp2) function, long calls, sd_LongType hash, void* context) {
  for (long i = 0; i < calls; i++) function(NULL, hash, context);
}
