#include <legacy/NativeOpExecutioner.h>

#include "system/Error.h"

sd::loops::Axes NativeOpExecutioner::axes(const char* function, const int* dimension, int dimensionLength) {
  if (dimensionLength < 0) sd::fail("[{}] argument 'dimensionLength' is {}", function, dimensionLength);
  if (dimension == nullptr && dimensionLength > 0) sd::fail("[{}] argument 'dimension' is null", function);
  return sd::loops::Axes(dimension, dimension + dimensionLength);
}

sd::graph::RandomGenerator& NativeOpExecutioner::generator(sd::Pointer state) {
  if (state == nullptr) sd::fail("[execRandom] argument 'state' is null");
  return *static_cast<sd::graph::RandomGenerator*>(state);
}
