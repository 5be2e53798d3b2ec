// Calls that image operations must reject.
#include <cmath>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

TEST(OpsImagesRejectTests, Colours) {
  const In image(FLOAT32, {2, 2, 3}), narrow(FLOAT32, {2, 3, 2}), pixel(FLOAT32, {3}), scalar(FLOAT32, {});
  const In two(FLOAT32, {2}, {1, 1});
  for (const char* name :
       {"rgb_to_grs", "rgb_to_yuv", "yuv_to_rgb", "rgb_to_yiq", "yiq_to_rgb", "rgb_to_hsv", "hsv_to_rgb"})
    checkRejections(
        name, {{"a scalar", {scalar}, {}, refusal::Argument, "its rank is 0"},
               {"two channels", {narrow}, {}, refusal::Argument, "dimension 2 must have 3 channels (shape [2, 3, 2])"},
               {"a dimension outside", {image}, {.i = {3}}, refusal::Argument, "'axis': 3 is outside -3..2"},
               {"another dimension", {image}, {.i = {-2}}, refusal::Argument, "dimension 1 must have 3"},
               {"truth values", {In(BOOL, {3})}, {}, refusal::Validation, "BOOL"}});
  for (const char* name : {"adjust_hue", "adjust_saturation"})
    checkRejections(name, {{"a pixel", {pixel}, {.t = {0.5}}, refusal::Argument, "its rank is 1, less than 3"},
                           {"two channels", {narrow}, {.t = {0.5}}, refusal::Argument, "must have 3 channels"},
                           {"no amount", {image}, {}, refusal::Argument, "is missing"},
                           {"two amounts", {image, two}, {}, refusal::Argument, "it has 2 elements, not 1"}});
  checkRejections("adjust_hue", {{"more than a turn", {image}, {.t = {1.5}}, refusal::Argument, "1.5 is outside -1..1"},
                                 {"NaN", {image}, {.t = {NAN}}, refusal::Argument, "outside -1..1"}});
  for (const char* name : {"adjust_contrast", "adjust_contrast_v2"})
    checkRejections(name, {{"a pixel", {pixel}, {.t = {0.5}}, refusal::Argument, "its rank is 1, less than 3"},
                           {"no amount", {image}, {}, refusal::Argument, "is missing"},
                           {"two amounts", {image, two}, {}, refusal::Argument, "it has 2 elements, not 1"}});
}

TEST(OpsImagesRejectTests, Sizes) {
  const In image(FLOAT32, {1, 4, 4, 1}), matrix(FLOAT32, {4, 4}), none(FLOAT32, {1, 0, 4, 1});
  const In size(INT32, {2}, {5, 5}), three(INT32, {3}, {5, 5, 5}), zero(INT32, {2}, {5, 0});
  for (const char* name : {"resize_bilinear", "resize_nearest_neighbor", "resize_area", "resize_bicubic"}) {
    checkRejections(
        name, {{"a matrix", {matrix, size}, {}, refusal::Argument, "its rank is 2, not in 3..4"},
               {"an empty image", {none, size}, {}, refusal::Argument, "the image is empty"},
               {"three sizes", {image, three}, {}, refusal::Argument, "it has 3 elements, not 2"},
               {"two sources of the size", {image, size}, {.i = {5, 5}}, refusal::Argument, "in addition to input 1"}});
    if (std::string(name) == "resize_bicubic") {
      checkRejections(
          name,
          {{"no size", {image}, {}, refusal::Argument, "argument 'size' is missing"},
           {"a small size", {image, In(INT32, {2}, {4, 3})}, {}, refusal::Argument, "[4, 3]"},
           {"a width of 0", {image, zero}, {}, refusal::Argument, "input 1 'size': value 0 at [1] is outside 1…"}});
    } else {
      checkRejections(
          name,
          {{"no size", {image}, {}, refusal::Argument, "argument 'size' is missing"},
           {"four arguments", {image}, {.i = {5, 5, 0, 0}}, refusal::Argument, "4 integer arguments"},
           {"a width of 0", {image, zero}, {}, refusal::Argument, "input 1 'size': value 0 at [1] is outside 1…"},
           {"a negative height", {image}, {.i = {-5, 5}}, refusal::Argument, "argument 'size': -5 is outside 1…"}});
    }
    if (std::string(name) != "resize_bicubic" && std::string(name) != "resize_nearest_neighbor")
      checkRejections(
          name, {{"three arguments", {image}, {.i = {5, 5, 0}}, refusal::Argument, "3 integer arguments are given"}});
    if (std::string(name) != "resize_area")
      checkRejections(name,
                      {{"both rules", {image, size}, {.b = {true, true}}, refusal::Argument, "cannot both be true"}});
  }
}

TEST(OpsImagesRejectTests, Crops) {
  const In image(FLOAT32, {2, 3, 3, 1}), boxes(FLOAT32, {2, 4}), which(INT32, {2}), size(INT32, {2}, {2, 2});
  checkRejections(
      "crop_and_resize",
      {{"one image", {In(FLOAT32, {3, 3, 1}), boxes, which, size}, {}, refusal::Argument, "its rank is 3, not 4"},
       {"three corners", {image, In(FLOAT32, {2, 3}), which, size}, {}, refusal::Argument, "not [n, 4]"},
       {"too few images",
        {image, boxes, In(INT32, {1}), size},
        {},
        refusal::Argument,
        "its shape is [1], but 2 elements are needed"},
       {"an image that is not there",
        {image, boxes, In(INT32, {2}, {0, 2}), size},
        {},
        refusal::Argument,
        "value 2 at [1] is outside 0..1"},
       {"a negative image", {image, boxes, In(INT32, {2}, {-1, 0}), size}, {}, refusal::Argument, "value -1 at [0]"},
       {"three sizes",
        {image, boxes, which, In(INT32, {3}, {1, 1, 1})},
        {},
        refusal::Argument,
        "it has 3 elements, not 2"},
       {"a size of 0",
        {image, boxes, which, In(INT32, {2}, {2, 0})},
        {},
        refusal::Argument,
        "value 0 at [1] is outside 1…"},
       {"an empty image", {In(FLOAT32, {2, 0, 3, 1}), boxes, which, size}, {}, refusal::Argument, "it is empty"},
       {"three inputs", {image, boxes, which}, {}, refusal::Argument, "argument 'size' is missing"},
       {"whole boxes", {image, In(INT32, {2, 4}), which, size}, {}, refusal::Validation, "INT32"}});
}

TEST(OpsImagesRejectTests, Windows) {
  const In image(FLOAT32, {1, 4, 4, 1});
  checkRejections(
      "extract_image_patches",
      {{"one image", {In(FLOAT32, {4, 4, 1})}, {.i = {1, 1, 1, 1, 1, 1, 0}}, refusal::Argument, "its rank is 3, not 4"},
       {"six arguments", {image}, {.i = {1, 1, 1, 1, 1, 1}}, refusal::Validation, "7 integer arguments"},
       {"a stride of 0",
        {image},
        {.i = {1, 1, 0, 1, 1, 1, 0}},
        refusal::Argument,
        "'stride': value 0 at [0] is outside 1.."},
       {"a negative rate",
        {image},
        {.i = {1, 1, 1, 1, 1, -1, 1}},
        refusal::Argument,
        "'dilation': value -1 at [1] is outside 1.."},
       {"a size of 0",
        {image},
        {.i = {1, 0, 1, 1, 1, 1, 1}},
        refusal::Argument,
        "'kernel': value 0 at [1] is outside 1.."},
       {"a window too large", {image}, {.i = {3, 1, 1, 1, 2, 1, 0}}, refusal::Argument, "span 5 rows"}});
}

TEST(OpsImagesRejectTests, Frames) {
  const In image(FLOAT32, {2, 4, 4, 3}), boxes(FLOAT32, {2, 1, 4});
  checkRejections(
      "draw_bounding_boxes",
      {{"one image", {In(FLOAT32, {4, 4, 3}), boxes}, {}, refusal::Argument, "its rank is 3, not 4"},
       {"boxes of one image", {image, In(FLOAT32, {1, 4})}, {}, refusal::Argument, "its rank is 2, not 3"},
       {"five channels",
        {In(FLOAT32, {2, 4, 4, 5}), boxes},
        {},
        refusal::Argument,
        "5 channels exceed the maximum of 4"},
       {"boxes of another batch", {image, In(FLOAT32, {3, 1, 4})}, {}, refusal::Argument, "not [2, n, 4]"},
       {"three corners", {image, In(FLOAT32, {2, 1, 3})}, {}, refusal::Argument, "not [2, n, 4]"},
       {"narrow colours", {image, boxes, In(FLOAT32, {1, 2})}, {}, refusal::Argument, "3 channels are needed"},
       {"one colour", {image, boxes, In(FLOAT32, {3})}, {}, refusal::Argument, "its rank is 1, not 2"},
       {"doubles", {In(DOUBLE, {2, 4, 4, 3}), boxes}, {}, refusal::Validation, "DOUBLE"}});
}

TEST(OpsImagesRejectTests, Methods) {
  const In image(FLOAT32, {1, 4, 4, 1}), size(INT32, {2}, {5, 5});
  checkRejections("resize_images",
                  {{"no such method", {image}, {.i = {5, 5, 4}}, refusal::Argument, "'method': 4 is none of"},
                   {"a negative method", {image, size, In(INT32, {}, {-1})}, {}, refusal::Argument, "-1 is none of"},
                   {"two methods", {image, size, In(INT32, {2})}, {}, refusal::Argument, "it has 2 elements, not 1"},
                   {"no size", {image}, {.i = {5}}, refusal::Argument, "1 integer arguments are given"},
                   {"a matrix", {In(FLOAT32, {4, 4}), size}, {}, refusal::Argument, "its rank is 2, not in 3..4"}});
}

TEST(OpsImagesRejectTests, Grids) {
  const In x(FLOAT32, {2, 3, 4, 5}), grid(FLOAT32, {2, 6, 7, 2}), g(FLOAT32, {2, 3, 6, 7});
  const In volume(FLOAT32, {2, 3, 4, 5, 6}), places(FLOAT32, {2, 1, 1, 1, 3});
  checkRejections("grid_sample",
                  {{"rank", {In(FLOAT32, {4, 5}), grid}, {}, refusal::Argument, "its rank is 2"},
                   {"ranks", {volume, grid}, {}, refusal::Argument, "but x has rank 5"},
                   {"samples", {x, In(FLOAT32, {1, 6, 7, 2})}, {}, refusal::Argument, "input 1 'grid'"},
                   {"coordinates", {x, In(FLOAT32, {2, 6, 7, 3})}, {}, refusal::Argument, "input 1 'grid'"},
                   {"an empty image", {In(FLOAT32, {2, 3, 0, 5}), grid}, {}, refusal::Argument, "the image is empty"},
                   {"cubic volumes", {volume, places}, {.i = {2}}, refusal::Argument, "volumes cannot"},
                   {"method", {x, grid}, {.i = {3}}, refusal::Argument, "'method'"},
                   {"padding", {x, grid}, {.i = {0, 3}}, refusal::Argument, "'padding_mode'"},
                   {"integers", {In(INT32, {2, 3, 4, 5}), grid}, {}, refusal::Validation, "input 0"}});
  checkRejections("grid_sample_bp",
                  {{"g", {x, grid, In(FLOAT32, {2, 3, 7, 6})}, {}, refusal::Argument, "input 2 'gradZ'"},
                   {"samples", {x, In(FLOAT32, {1, 6, 7, 2}), g}, {}, refusal::Argument, "input 1 'grid'"},
                   {"an empty image", {In(FLOAT32, {2, 3, 0, 5}), grid, g}, {}, refusal::Argument, "is empty"}});
}
