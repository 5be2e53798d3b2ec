// Takes back the macros of legacy/begin_c.h.
#undef SD_C_API
#undef SD_C_LONG
#undef SD_C_POINTER
#undef SD_C_DATATYPE
#undef SD_C_STATUS
#undef SD_C_DESCRIPTOR
#undef SD_C_NONE
#undef SD_C_DEFAULT
