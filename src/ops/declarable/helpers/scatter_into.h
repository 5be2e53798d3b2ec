// Updates of rows, for arrays of any layout and type.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SCATTER_INTO_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SCATTER_INTO_H

#include <ops/declarable/Schema.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/rows.h"

namespace sd::ops::helpers {

/// The type in which values of `type` are accumulated: FLOAT32 for 16-bit floats, else `type`.
inline DataType accumulatorOf(DataType type) { return DataTypeUtils::isHalf(type) ? FLOAT32 : type; }

/// Copies x to z unless both are the same array, then applies scatterRows to z seen as `rows` equal parts in c order.
/// `updates`, input number `index`, holds n parts and is converted to x's type. @throws std::invalid_argument, before
/// anything is written, when integers would be divided by 0
void scatterInto(Combine combine, const NDArray& x, LongType rows, const LongType* indices, LongType n,
                 const NDArray& updates, int index, NDArray& z);

struct ScatterMember {
  const char *summary, *formula, *indices, *updates, *note, *example, *words, *see;
};

/// States the schema of operations that take x, indices and updates.
void describeScatter(Schema& schema, const ScatterMember& member, const NamesElsewhere& elsewhere);

}  // namespace sd::ops::helpers

#endif
