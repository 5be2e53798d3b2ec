#include "Svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <stdexcept>

namespace {

constexpr double WIDTH = 900, HEIGHT = 640, LEFT = 70, RIGHT = 110, TOP = 50, BOTTOM = 60;
constexpr std::array<const char*, 10> COLOURS = {"#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f",
                                                 "#edc948", "#b07aa1", "#ff9da7", "#9c755f", "#7f7f7f"};

/// One axis: maps values to positions in the picture.
struct Axis {
  double low, high, start, end;

  double at(double value) const { return start + (value - low) / (high - low) * (end - start); }

  /// About ten values, whose distance is 1, 2 or 5 times a power of ten.
  std::vector<double> marks() const {
    const double rough = (high - low) / 10, power = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
    std::vector<double> values;
    for (double value = std::ceil(low / step) * step; value <= high; value += step) values.push_back(value);
    return values;
  }
};

Axis axisOver(const std::vector<std::array<float, 2>>& points, int dimension, double start, double end) {
  const auto [low, high] = std::minmax_element(
      points.begin(), points.end(), [dimension](const auto& a, const auto& b) { return a[dimension] < b[dimension]; });
  const double margin = 0.04 * ((*high)[dimension] - (*low)[dimension]) + 1e-6;
  return {(*low)[dimension] - margin, (*high)[dimension] + margin, start, end};
}

/// The text of a mark. Marks are short decimal numbers, apart from rounding errors.
std::string markText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", std::round(value * 1e6) / 1e6 + 0.0);
  return text;
}

void drawAxes(std::ofstream& svg, const Axis& x, const Axis& y, const std::array<std::string, 2>& names) {
  svg << "<g stroke=\"#dddddd\">\n";
  for (double v : x.marks()) svg << "<path d=\"M" << x.at(v) << " " << y.start << "V" << y.end << "\"/>\n";
  for (double v : y.marks()) svg << "<path d=\"M" << x.start << " " << y.at(v) << "H" << x.end << "\"/>\n";
  svg << "</g>\n<path d=\"M" << x.start << " " << y.end << "V" << y.start << "H" << x.end
      << "\" fill=\"none\" stroke=\"#333333\"/>\n<g fill=\"#333333\" font-size=\"12\">\n";
  for (double v : x.marks())
    svg << "<text x=\"" << x.at(v) << "\" y=\"" << y.start + 18 << "\" text-anchor=\"middle\">" << markText(v)
        << "</text>\n";
  for (double v : y.marks())
    svg << "<text x=\"" << x.start - 8 << "\" y=\"" << y.at(v) + 4 << "\" text-anchor=\"end\">" << markText(v)
        << "</text>\n";
  svg << "</g>\n<g fill=\"#333333\" font-size=\"14\" text-anchor=\"middle\">\n<text x=\"" << (x.start + x.end) / 2
      << "\" y=\"" << HEIGHT - 16 << "\">" << names[0] << "</text>\n<text transform=\"translate(22 "
      << (y.start + y.end) / 2 << ") rotate(-90)\">" << names[1] << "</text>\n</g>\n";
}

/// The numbers at the centres, with a white outline that keeps them readable over the points.
void drawCentres(std::ofstream& svg, const Axis& x, const Axis& y, const std::vector<std::array<float, 2>>& centres) {
  for (const char* style : {"stroke=\"white\" stroke-width=\"5\"", "fill=\"#222222\""}) {
    svg << "<g font-size=\"26\" font-weight=\"bold\" text-anchor=\"middle\" " << style << ">\n";
    for (size_t k = 0; k < centres.size(); k++)
      svg << "<text x=\"" << x.at(centres[k][0]) << "\" y=\"" << y.at(centres[k][1]) + 9 << "\">" << k << "</text>\n";
    svg << "</g>\n";
  }
}

void drawLegend(std::ofstream& svg) {
  constexpr double X = WIDTH - RIGHT + 24;
  svg << "<g font-size=\"14\">\n<text x=\"" << X << "\" y=\"" << TOP + 14 << "\">digit</text>\n";
  for (size_t label = 0; label < COLOURS.size(); label++) {
    const double row = TOP + 38 + 22 * static_cast<double>(label);
    svg << "<circle cx=\"" << X + 8 << "\" cy=\"" << row - 5 << "\" r=\"6\" fill=\"" << COLOURS[label]
        << "\"/>\n<text x=\"" << X + 24 << "\" y=\"" << row << "\">" << label << "</text>\n";
  }
  svg << "</g>\n";
}

}  // namespace

void writeSvg(const Scatter& scatter, const std::string& path) {
  if (scatter.points.empty()) throw std::runtime_error("there are no points to draw");
  std::ofstream svg(path);
  const Axis x = axisOver(scatter.points, 0, LEFT, WIDTH - RIGHT),
             y = axisOver(scatter.points, 1, HEIGHT - BOTTOM, TOP);
  svg << std::fixed << std::setprecision(1) << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
      << static_cast<int>(WIDTH) << " " << static_cast<int>(HEIGHT) << "\" font-family=\"sans-serif\">\n<title>"
      << scatter.title << "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"" << LEFT
      << "\" y=\"30\" font-size=\"18\">" << scatter.title << "</text>\n";
  drawAxes(svg, x, y, scatter.axes);

  for (int label = 0; label < 10; label++) {
    svg << "<g fill=\"" << COLOURS[label] << "\" fill-opacity=\"0.7\">\n";
    for (size_t i = 0; i < scatter.points.size(); i++)
      if (scatter.labels[i] == label)
        svg << "<circle cx=\"" << x.at(scatter.points[i][0]) << "\" cy=\"" << y.at(scatter.points[i][1])
            << "\" r=\"3\"/>\n";
    svg << "</g>\n";
  }

  drawCentres(svg, x, y, scatter.centres);
  drawLegend(svg);
  svg << "</svg>\n";
  svg.close();
  if (!svg) throw std::runtime_error("cannot write " + path);
}
