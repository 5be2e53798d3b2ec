// A scatter plot of labelled points as an SVG file.
#ifndef NDFORGE_EXAMPLES_DIGITS_SVG_H
#define NDFORGE_EXAMPLES_DIGITS_SVG_H

#include <array>
#include <string>
#include <vector>

struct Scatter {
  std::string title;
  std::array<std::string, 2> axes;  ///< the labels of the axes
  std::vector<std::array<float, 2>> points;
  std::vector<int> labels;                    ///< 0..9, one for each point; determines the colour
  std::vector<std::array<float, 2>> centres;  ///< centre k is marked with the text "k"
};

/// Writes the picture. @throws std::runtime_error when there are no points or the file cannot be written
void writeSvg(const Scatter& scatter, const std::string& path);

#endif
