// Resizing of images with a choice of method and of pixel coordinates.
// operations: image_resize
#include <ops/declarable/headers/images.h>

#include "ops/declarable/generic/images/Resizing.h"

namespace sd::ops {
namespace {

enum Method { Bilinear, Nearest, Bicubic, Area, Gaussian, Lanczos3, Lanczos5, Mitchell };

struct Settings {
  Method method;
  Coordinates coordinates;
  Rounding rounding;
  bool keepAspect, antialias, excludeOutside;
  float a;

  explicit Settings(graph::Context& block)
      : method(static_cast<Method>(choice(block, 0, "method", Bilinear, Mitchell))),
        coordinates(static_cast<Coordinates>(choice(block, 1, "coordinates", defaultCoordinates(), 2))),
        rounding(Rounding::Floor),
        keepAspect(flag(block, 0)),
        antialias(block.numB() >= 2 && flag(block, 1)),
        excludeOutside(flag(block, 2, true)),
        a(static_cast<float>(number(block, 0, -0.5))) {
    if (method == Nearest) {
      if (block.numI() == 3) rounding = static_cast<Rounding>(choice(block, 2, "rounding", 0, 3));
      return;
    }
    const bool plain = coordinates == Coordinates::HalfPixel && excludeOutside;
    if (!plain && (method != Bicubic || antialias))
      reject("method {}{} needs coordinates 1 (half pixels) and excludeOutside", static_cast<int>(method),
             antialias ? " with antialias" : "");
  }

 private:
  static LongType choice(graph::Context& block, size_t index, const char* name, LongType otherwise, LongType most) {
    const LongType value = integer(block, index, otherwise);
    if (value < 0 || value > most) reject("argument '{}': {} is outside 0..{}", name, value, most);
    return value;
  }
  LongType defaultCoordinates() const {
    return static_cast<LongType>(method == Nearest ? Coordinates::HalfPixelNearest : Coordinates::HalfPixel);
  }
};

Kernel kernelOf(const Settings& settings) {
  switch (settings.method) {
    case Bicubic:
      return cubicKernel(settings.a);
    case Gaussian:
      return gaussianKernel();
    case Lanczos3:
      return lanczosKernel(3);
    case Lanczos5:
      return lanczosKernel(5);
    case Mitchell:
      return mitchellKernel();
    default:
      return triangleKernel();
  }
}

}  // namespace

CUSTOM_OP_IMPL(image_resize, 2, 1, false, -2, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Settings settings(block);
  if (z.isEmpty()) return Status::OK;
  if (settings.method == Nearest) {
    const auto indices = [&](LongType in, LongType out) {
      return nearestIndices(in, out, false, settings.coordinates, settings.rounding);
    };
    pick(x, z, indices(x.sizeAt(-3), z.sizeAt(-3)), indices(x.sizeAt(-2), z.sizeAt(-2)));
    return Status::OK;
  }
  resampleWith(x, z, [&](LongType in, LongType out) {
    if (settings.method == Area) return areaTaps(in, out, false);
    if (settings.method == Bicubic && !settings.antialias)
      return cubicTaps(in, out, false, settings.coordinates, settings.a, settings.excludeOutside);
    return kernelTaps(in, out, kernelOf(settings), settings.antialias);
  });
  return Status::OK;
}
DECLARE_SHAPE_FN(image_resize) {
  const Settings settings(block);
  const LongType* x = inputShape->at(0);
  const NDArray& given = *INPUT_VARIABLE(1);
  if (given.lengthOf() != 2) reject("input 1 'size': its shape is {}, but two integers are needed", text(given));
  const Dims sizes = integersOf(given, 1, "size");
  Size size{sizes[0], sizes[1]};
  if (size.height <= 0 || size.width <= 0) reject("input 1 'size': [{}, {}] is not positive", size.height, size.width);
  if (settings.keepAspect) size = withAspectOf(x, size.height);
  return resized(x, size, settings.method == Nearest ? ArrayOptions::dataType(x) : FLOAT32, 'c');
}
DECLARE_TYPES(image_resize) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->document(
          {.summary = "Resizes images with a choice of method and of pixel coordinates.",
           .inputs = "x: [B, H, W, C] or [H, W, C]\nsize: [2], integers: height and width",
           .outputs = "z: [B, height, width, C] or [height, width, C], c order; FLOAT32, or the type of x for nearest",
           .floats = "a?: the coefficient of the cubic kernel (default -0.5)",
           .integers =
               "method?: 0 bilinear (default), 1 nearest, 2 bicubic, 3 area, 4 Gaussian, 5 Lanczos of radius "
               "3, 6 of radius 5, 7 Mitchell and Netravali\n"
               "coordinates?: the position of pixel i of z in x: 0 i * scale, 1 (i + 0.5) * scale - 0.5, 2 (i + 0.5) * "
               "scale (default 1, for nearest 2); others than 1 are for methods 1 and 2\n"
               "rounding?: for nearest: 0 down (default), 1 halves down, 2 halves away from 0, 3 up",
           .booleans = "preserveAspectRatio?: the width follows from the height (default false)\n"
                       "antialias?: the kernel is stretched when images get smaller (default false)\n"
                       "excludeOutside?: only pixels inside the image count (default true); false is allowed only for "
                       "method 2"});
}

}  // namespace sd::ops
