// How a part of the C interface spells its types in C and in C++, until legacy/end_c.h. Both may be included several
// times.

#ifdef __cplusplus

#define SD_C_API SD_LIB_EXPORT
#define SD_C_LONG sd::LongType
#define SD_C_POINTER sd::Pointer
#define SD_C_DATATYPE sd::DataType
#define SD_C_STATUS sd::Status
#define SD_C_DESCRIPTOR sd::ConstantDescriptor
#define SD_C_NONE
#define SD_C_DEFAULT(value) = value

#else

#if defined(_WIN32)
#define SD_C_API __declspec(dllimport)
#else
#define SD_C_API
#endif
#define SD_C_LONG sd_LongType
#define SD_C_POINTER sd_Pointer
#define SD_C_DATATYPE sd_DataType
#define SD_C_STATUS sd_Status
#define SD_C_DESCRIPTOR sd_ConstantDescriptor
#define SD_C_NONE void
#define SD_C_DEFAULT(value)

#endif
