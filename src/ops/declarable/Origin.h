// Where a class comes from.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_ORIGIN_H
#define NDFORGE_SRC_OPS_DECLARABLE_ORIGIN_H

namespace sd::ops {

/// Whether the class of an object with virtual functions is one of this library's, and not one of a program or plugin
/// that uses it. Always true in programs that contain the library.
bool isOfLibrary(const void* object);

}  // namespace sd::ops

#endif
