// Walks arrays by coordinates: starts at an element, then steps to the next one and updates the offset.
//
// Code whose rank is known at compile time uses CoordsState; the other functions work on plain arrays of coordinates.
#ifndef NDFORGE_HELPERS_LOOPSCOORDSHELPER_H
#define NDFORGE_HELPERS_LOOPSCOORDSHELPER_H

#include <system/common.h>

#include <cstddef>

/// Stride of dimension i. The arguments may be given in either order.
#define STRIDE(i, state) ::sd::coordsField<&::sd::CoordsDim::stride>(i, state)
/// Coordinate in dimension i.
#define COORDS(i, state) ::sd::coordsField<&::sd::CoordsDim::coord>(i, state)
/// Last coordinate in dimension i.
#define LAST_NUM(i, state) ::sd::coordsField<&::sd::CoordsDim::last>(i, state)
/// The same for two arrays of equal dimensions.
#define ZIP_STRIDE1(i, state) STRIDE(i, state)
#define ZIP_STRIDE2(i, state) ::sd::coordsField<&::sd::CoordsDim::stride2>(i, state)
#define ZIP_COORDS(i, state) COORDS(i, state)
#define ZIP_LAST_NUM(i, state) LAST_NUM(i, state)

namespace sd {

/// Offsets into two arrays.
struct zip_size_t {
  LongType first;
  LongType second;
};

struct CoordsDim {
  LongType coord = 0;
  LongType last = 0;
  LongType stride = 0;
  LongType stride2 = 0;
};

/// Position in an array of rank N + 1.
template <int N>
struct CoordsState {
  static_assert(N >= 0 && N < SD_MAX_RANK, "the rank of an array");
  CoordsDim dims[N + 1];
};

/// Position in two arrays of rank N + 1 and equal dimensions.
template <int N>
struct ZipCoordsState : CoordsState<N> {};

template <LongType CoordsDim::*Field, int N>
SD_INLINE LongType& coordsField(int i, CoordsState<N>& state) {
  return state.dims[i].*Field;
}
template <LongType CoordsDim::*Field, int N>
SD_INLINE LongType& coordsField(CoordsState<N>& state, int i) {
  return state.dims[i].*Field;
}

/// Coordinates of element `index` when the last dimension runs fastest (c order). Safe for empty arrays.
SD_INLINE void index2coords_C(LongType index, LongType rank, const LongType* bases, LongType* coords) {
  for (LongType i = rank - 1; i > 0; --i) {
    const LongType base = bases[i] > 0 ? bases[i] : 1;
    coords[i] = index % base;
    index /= base;
  }
  if (rank > 0) coords[0] = index;
}

/// Coordinates of element `index` when the first dimension runs fastest (Fortran order). Safe for empty arrays.
SD_INLINE void index2coords_F(LongType index, LongType rank, const LongType* bases, LongType* coords) {
  for (LongType i = 0; i + 1 < rank; ++i) {
    const LongType base = bases[i] > 0 ? bases[i] : 1;
    coords[i] = index % base;
    index /= base;
  }
  if (rank > 0) coords[rank - 1] = index;
}

/// Sum of coordinate * stride.
SD_INLINE LongType offset_from_coords(const LongType* strides, const LongType* coords, LongType rank) {
  LongType offset = 0;
  for (LongType i = 0; i < rank; ++i) offset += coords[i] * strides[i];
  return offset;
}
SD_INLINE zip_size_t offset_from_coords(const LongType* strides1, const LongType* strides2, const LongType* coords,
                                        LongType rank) {
  return {offset_from_coords(strides1, coords, rank), offset_from_coords(strides2, coords, rank)};
}

/// Sets the state to element `index` and returns `offset` plus the element's offset.
template <int Rank, int First = 0, bool LastIndexFaster = true>
SD_INLINE LongType init_coords(CoordsState<Rank - 1>& state, LongType index, const LongType* bases,
                               const LongType* strides, LongType offset = 0) {
  LongType coords[Rank];
  if constexpr (LastIndexFaster)
    index2coords_C(index, Rank, bases, coords);
  else
    index2coords_F(index, Rank, bases, coords);
  for (int i = First; i < Rank; ++i) {
    state.dims[i] = {coords[i], bases[i] - 1, strides[i], 0};
    offset += coords[i] * strides[i];
  }
  return offset;
}
template <int Rank, int First = 0, bool LastIndexFaster = true>
SD_INLINE zip_size_t init_coords(ZipCoordsState<Rank - 1>& state, LongType index, const LongType* bases,
                                 const LongType* strides1, const LongType* strides2, zip_size_t offsets = {0, 0}) {
  CoordsState<Rank - 1>& base = state;
  offsets.first = init_coords<Rank, First, LastIndexFaster>(base, index, bases, strides1, offsets.first);
  for (int i = First; i < Rank; ++i) {
    state.dims[i].stride2 = strides2[i];
    offsets.second += state.dims[i].coord * strides2[i];
  }
  return offsets;
}

/// Steps to the next element and returns its offset; after the last element comes the first. The `Fastest` fastest
/// dimensions do not move.
template <int Rank, int Fastest = 0, bool LastIndexFaster = true>
SD_INLINE LongType inc_coords(CoordsState<Rank - 1>& state, LongType lastOffset) {
  for (int k = Fastest; k < Rank; ++k) {
    CoordsDim& dim = state.dims[LastIndexFaster ? Rank - 1 - k : k];
    if (dim.coord < dim.last) {
      ++dim.coord;
      return lastOffset + dim.stride;
    }
    lastOffset -= dim.coord * dim.stride;
    dim.coord = 0;
  }
  return lastOffset;
}
template <int Rank, int Fastest = 0, bool LastIndexFaster = true>
SD_INLINE zip_size_t inc_coords(ZipCoordsState<Rank - 1>& state, zip_size_t lastOffset) {
  for (int k = Fastest; k < Rank; ++k) {
    CoordsDim& dim = state.dims[LastIndexFaster ? Rank - 1 - k : k];
    if (dim.coord < dim.last) {
      ++dim.coord;
      return {lastOffset.first + dim.stride, lastOffset.second + dim.stride2};
    }
    lastOffset.first -= dim.coord * dim.stride;
    lastOffset.second -= dim.coord * dim.stride2;
    dim.coord = 0;
  }
  return lastOffset;
}

/// Steps `coords` to the next element and returns its offset; the `skip` fastest dimensions do not move.
template <bool LastIndexFaster = true>
SD_INLINE LongType inc_coords(const LongType* bases, const LongType* strides, LongType* coords, LongType lastOffset,
                              LongType rank, LongType skip = 0) {
  for (LongType k = skip; k < rank; ++k) {
    const LongType i = LastIndexFaster ? rank - 1 - k : k;
    if (coords[i] + 1 < bases[i]) {
      ++coords[i];
      return lastOffset + strides[i];
    }
    lastOffset -= coords[i] * strides[i];
    coords[i] = 0;
  }
  return lastOffset;
}
template <bool LastIndexFaster = true>
SD_INLINE zip_size_t inc_coords(const LongType* bases, const LongType* strides1, const LongType* strides2,
                                LongType* coords, zip_size_t lastOffset, LongType rank, LongType skip = 0) {
  for (LongType k = skip; k < rank; ++k) {
    const LongType i = LastIndexFaster ? rank - 1 - k : k;
    if (coords[i] + 1 < bases[i]) {
      ++coords[i];
      return {lastOffset.first + strides1[i], lastOffset.second + strides2[i]};
    }
    lastOffset.first -= coords[i] * strides1[i];
    lastOffset.second -= coords[i] * strides2[i];
    coords[i] = 0;
  }
  return lastOffset;
}

/// Whether the state has these coordinates, from dimension `First` on.
template <size_t Rank, size_t First = 0>
SD_INLINE bool eq_coords(const CoordsState<static_cast<int>(Rank) - 1>& state, const LongType* coords) {
  for (size_t i = First; i < Rank; ++i)
    if (state.dims[i].coord != coords[i]) return false;
  return true;
}
template <size_t Rank, size_t First = 0>
SD_INLINE bool eq_zip_coords(const ZipCoordsState<static_cast<int>(Rank) - 1>& state, const LongType* coords) {
  return eq_coords<Rank, First>(state, coords);
}

}  // namespace sd

#endif
