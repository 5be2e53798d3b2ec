// Element types of arrays. The numbers are part of the interface.
#ifndef NDFORGE_ARRAY_DATATYPE_H
#define NDFORGE_ARRAY_DATATYPE_H

namespace sd {

enum DataType : int {
  INHERIT = 0,
  BOOL = 1,
  FLOAT8 = 2,
  HALF = 3,
  HALF2 = 4,
  FLOAT32 = 5,
  DOUBLE = 6,
  INT8 = 7,
  INT16 = 8,
  INT32 = 9,
  INT64 = 10,
  UINT8 = 11,
  UINT16 = 12,
  UINT32 = 13,
  UINT64 = 14,
  QINT8 = 15,
  QINT16 = 16,
  BFLOAT16 = 17,
  COMPLEX64 = 18,   // two FLOAT32: the real part, then the imaginary part
  COMPLEX128 = 19,  // two DOUBLE
  UTF8 = 50,
  UTF16 = 51,
  UTF32 = 52,
  ANY = 100,
  AUTO = 200,
};

}  // namespace sd

#endif
