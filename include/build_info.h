// Information about the build of the library.
#ifndef NDFORGE_BUILD_INFO_H
#define NDFORGE_BUILD_INFO_H

#include <system/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Lines of text: version, compiler, instruction set of the kernels. Valid as long as the library is loaded.
SD_LIB_EXPORT const char* buildInfo();

#ifdef __cplusplus
}
#endif

#endif
