// Operations that select, insert, count or search elements: gather and scatter, segments, selections, sets, extremes.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_INDEXING_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_INDEXING_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <limits>
#include <optional>
#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of argmax and the like. No axes: the whole array.
struct ArgExtreme {
  std::vector<int> axis{};
  bool keepDims = false;
  DataType dtype = INT64;
};

/// Arguments of choose.
struct Choose {
  Condition condition = Condition::Near;
  std::optional<double> value{};  ///< used when no input gives it
};

/// Arguments of encode_bitmap.
struct EncodeBitmap {
  double threshold = 0;
};

/// Arguments of encode_threshold.
struct EncodeThreshold {
  double threshold = 0;
  LongType boundary = 2147483647;  ///< the largest number of entries
};

/// Arguments of dynamic_partition and its gradient.
struct DynamicPartition {
  LongType numPartitions = 1;
};

/// Arguments of gather.
struct Gather {
  int axis = 0;
  std::vector<LongType> indices{};  ///< used when no input gives them
};

/// Arguments of bincount; the lengths are used when no inputs give them.
struct Bincount {
  LongType minLength = 0;
  std::optional<LongType> maxLength{};
  DataType dtype = INT32;  ///< read with one input
};

/// Arguments of histogram.
struct Histogram {
  LongType numBins = 1;
};

/// Arguments of histogram_fixed_width.
struct HistogramFixedWidth {
  LongType numBins = 100;
};

/// Arguments of confusion_matrix.
struct ConfusionMatrix {
  std::optional<LongType> numClasses{};  ///< none: the largest class + 1
  DataType dtype = INT64;
};

/// Arguments of non-maximum suppressions.
struct NonMaxSuppression {
  LongType maxOutputSize = 0;
  double overlapThreshold = 0.5;
  double scoreThreshold = -std::numeric_limits<float>::max();
};

/// Arguments of scatter_update.
struct SubarrayUpdate {
  ScatterOperation operation = ScatterOperation::Assign;
  std::vector<int> axis{};          ///< the dimensions that a sub-array spans
  std::vector<LongType> indices{};  ///< numbers of sub-arrays
};

/// Arguments of segment reductions with ids in any order.
struct NumSegments {
  LongType numSegments = 0;
};

/// Arguments of top_k.
struct TopK {
  LongType k = 1;
  bool sorted = true;
};

/// Arguments of in_top_k.
struct InTopK {
  int k = 1;
};

/// Arguments of nth_element.
struct NthElement {
  bool reverse = false;
};
}  // namespace args

// The operations are defined in src/ops/declarable/generic/indexing; `ndforge info NAME` describes one.

// Select parts by index.
DECLARE_CUSTOM_OP(gather, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(gather_nd, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(embedding_lookup, 2, 1, false, 0, 1)

// Update rows by index.
DECLARE_OP(scatter_add, 3, 1, true)
DECLARE_OP(scatter_sub, 3, 1, true)
DECLARE_OP(scatter_mul, 3, 1, true)
DECLARE_OP(scatter_div, 3, 1, true)
DECLARE_OP(scatter_max, 3, 1, true)
DECLARE_OP(scatter_min, 3, 1, true)
DECLARE_OP(scatter_upd, 3, 1, true)

// Update parts by coordinates or along dimensions.
DECLARE_CUSTOM_OP(scatter_nd, 3, 1, false, 0, 0)
DECLARE_OP(scatter_nd_add, 3, 1, true)
DECLARE_OP(scatter_nd_sub, 3, 1, true)
DECLARE_OP(scatter_nd_update, 3, 1, true)
DECLARE_CONFIGURABLE_OP(scatter_update, -2, 1, true, 0, -2)

// Reduce rows that have the same segment number.
DECLARE_CUSTOM_OP(segment_sum, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(segment_sum_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(segment_mean, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(segment_mean_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(segment_prod, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(segment_prod_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(segment_max, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(segment_max_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(segment_min, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(segment_min_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(unsorted_segment_sum, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(unsorted_segment_sum_bp, 3, 2, false, 0, 1)
DECLARE_CUSTOM_OP(unsorted_segment_mean, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(unsorted_segment_mean_bp, 3, 2, false, 0, 1)
DECLARE_CUSTOM_OP(unsorted_segment_prod, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(unsorted_segment_prod_bp, 3, 2, false, 0, 1)
DECLARE_CUSTOM_OP(unsorted_segment_max, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(unsorted_segment_max_bp, 3, 2, false, 0, 1)
DECLARE_CUSTOM_OP(unsorted_segment_min, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(unsorted_segment_min_bp, 3, 2, false, 0, 1)
DECLARE_CUSTOM_OP(unsorted_segment_sqrt_n, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(unsorted_segment_sqrt_n_bp, 3, 2, false, 0, 1)

// Selection, and the positions of true elements.
DECLARE_CUSTOM_OP(select, 3, 1, false, 0, 0)
DECLARE_CUSTOM_OP(Where, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(where_np, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(choose, -1, 2, false, -2, -1)

// The largest elements of each row.
DECLARE_CUSTOM_OP(top_k, 1, 2, false, 0, -1)
DECLARE_CUSTOM_OP(in_top_k, 2, 1, true, 0, 1)
DECLARE_CUSTOM_OP(nth_element, 2, 1, false, 0, 0)

// Distinct values.
DECLARE_CUSTOM_OP(unique, 1, 2, false, 0, 0)
DECLARE_CUSTOM_OP(unique_with_counts, 1, 3, false, 0, 0)
DECLARE_CUSTOM_OP(listdiff, 2, 2, false, 0, 0)

// Positions of minima and maxima.
DECLARE_CUSTOM_OP(argmax, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(argmin, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(argamax, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(argamin, 1, 1, false, 0, -2)

// Distribute sub-arrays over several arrays, and join them again.
DECLARE_CUSTOM_OP(dynamic_partition, 2, 1, false, 0, 1)
DECLARE_CUSTOM_OP(dynamic_partition_bp, 3, 2, false, 0, 1)
DECLARE_CUSTOM_OP(dynamic_stitch, 2, 1, false, 0, 0)

// Selection of boxes.
DECLARE_CUSTOM_OP(non_max_suppression, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(non_max_suppression_v3, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(non_max_suppression_overlaps, 2, 1, false, 0, 0)

// Strings.
DECLARE_CUSTOM_OP(split_string, 2, 1, true, 0, 0)

// Counts.
DECLARE_CUSTOM_OP(bincount, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(histogram, 1, 1, false, 0, 1)
DECLARE_CUSTOM_OP(histogram_fixed_width, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(confusion_matrix, 2, 1, false, 0, -2)
DECLARE_CUSTOM_OP(zero_fraction, 1, 1, false, 0, 0)

// Bits of arrays.
DECLARE_CUSTOM_OP(hashcode, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(compare_and_bitpack, 2, 1, false, 0, 0)

// Compression of parameter updates.
DECLARE_CUSTOM_OP(encode_threshold, 1, 2, true, 1, 0)
DECLARE_CUSTOM_OP(decode_threshold, 2, 1, true, 0, 0)
DECLARE_CUSTOM_OP(encode_bitmap, 1, 3, true, 1, 0)
DECLARE_CUSTOM_OP(decode_bitmap, 2, 1, true, 0, 0)

}  // namespace sd::ops

#endif
