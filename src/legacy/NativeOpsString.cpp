// C functions for string objects.
#include <legacy/NativeOps.h>
#include <types/utf8string.h>

#include "legacy/Guard.h"

using namespace sd::legacy;
using sd::Pointer;
using sd::utf8string;

Pointer createUtf8String(Pointer*, const char* string, int length) {
  return guarded(__func__, [&]() -> Pointer { return new utf8string(string, length); });
}

sd::LongType getUtf8StringLength(Pointer*, Pointer ptr) {
  return guarded(__func__,
                 [&] { return static_cast<sd::LongType>(required("ptr", static_cast<utf8string*>(ptr))._length); });
}

char* getUtf8StringBuffer(Pointer*, Pointer ptr) {
  return guarded(__func__, [&] { return required("ptr", static_cast<utf8string*>(ptr))._buffer; });
}

void deleteUtf8String(Pointer*, Pointer ptr) { delete static_cast<utf8string*>(ptr); }
