// C functions for the error state.
#include <execution/LaunchContext.h>
#include <legacy/NativeOps.h>

int lastErrorCode() { return sd::LaunchContext::defaultContext()->errorReference()->errorCode(); }

const char* lastErrorMessage() { return sd::LaunchContext::defaultContext()->errorReference()->errorMessage(); }
