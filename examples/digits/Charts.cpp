#include "Charts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <stdexcept>

namespace {

constexpr double WIDTH = 720, HEIGHT = 480, LEFT = 80, RIGHT = 30, TOP = 50, BOTTOM = 60;

std::ofstream begin(const std::string& path, const std::string& title, double width, double height) {
  std::ofstream svg(path);
  svg << std::fixed << std::setprecision(1) << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
      << static_cast<int>(width) << " " << static_cast<int>(height) << "\" font-family=\"sans-serif\">\n<title>"
      << title << "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"" << LEFT
      << "\" y=\"30\" font-size=\"18\">" << title << "</text>\n";
  return svg;
}

void finish(std::ofstream& svg, const std::string& path) {
  svg << "</svg>\n";
  svg.close();
  if (!svg) throw std::runtime_error("cannot write " + path);
}

std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

void writeSvg(const LossCurve& curve, const std::string& path) {
  if (curve.losses.empty()) throw std::runtime_error("there are no losses to draw");
  std::ofstream svg = begin(path, curve.title, WIDTH, HEIGHT);
  const auto [least, most] = std::minmax_element(curve.losses.begin(), curve.losses.end());
  const double low = std::floor(std::log10(std::max(1e-12, *least))), high = std::ceil(std::log10(*most) + 1e-9);
  const double last = static_cast<double>(curve.losses.size()) * curve.every;
  const auto x = [&](double step) { return LEFT + step / last * (WIDTH - LEFT - RIGHT); };
  const auto y = [&](double loss) {
    return HEIGHT - BOTTOM - (std::log10(std::max(1e-12, loss)) - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
  };
  svg << "<g font-size=\"12\" fill=\"#333333\">\n";
  for (double power = low; power <= high; power++) {
    const double at = y(std::pow(10, power));
    svg << "<path d=\"M" << LEFT << " " << at << "H" << WIDTH - RIGHT << "\" stroke=\"#dddddd\"/>\n<text x=\""
        << LEFT - 8 << "\" y=\"" << at + 4 << "\" text-anchor=\"end\">" << shortNumber(std::pow(10, power))
        << "</text>\n";
  }
  for (int part = 0; part <= 4; part++)
    svg << "<text x=\"" << x(last * part / 4) << "\" y=\"" << HEIGHT - BOTTOM + 18 << "\" text-anchor=\"middle\">"
        << shortNumber(std::round(last * part / 4)) << "</text>\n";
  svg << "</g>\n<g font-size=\"14\" fill=\"#333333\" text-anchor=\"middle\">\n<text x=\"" << (LEFT + WIDTH - RIGHT) / 2
      << "\" y=\"" << HEIGHT - 16 << "\">step</text>\n<text transform=\"translate(24 " << HEIGHT / 2
      << ") rotate(-90)\">loss</text>\n</g>\n<path fill=\"none\" stroke=\"#4e79a7\" stroke-width=\"2\" d=\"";
  for (size_t k = 0; k < curve.losses.size(); k++)
    svg << (k == 0 ? "M" : "L") << x(static_cast<double>(k + 1) * curve.every) << " " << y(curve.losses[k]);
  svg << "\"/>\n";
  finish(svg, path);
}

void writeSvg(const ConfusionMatrix& matrix, const std::string& path) {
  constexpr double CELL = 44;
  const size_t classes = matrix.counts.size();
  if (classes == 0) throw std::runtime_error("there are no classes to draw");
  const double side = CELL * static_cast<double>(classes);
  std::ofstream svg = begin(path, matrix.title, LEFT + side + RIGHT, TOP + side + BOTTOM);
  svg << "<g font-size=\"14\" text-anchor=\"middle\">\n";
  for (size_t row = 0; row < classes; row++) {
    int sum = 0;
    for (const int count : matrix.counts[row]) sum += count;
    const double top = TOP + CELL * static_cast<double>(row);
    svg << "<text x=\"" << LEFT - 16 << "\" y=\"" << top + CELL / 2 + 5 << "\">" << row << "</text>\n<text x=\""
        << LEFT + CELL * (static_cast<double>(row) + 0.5) << "\" y=\"" << TOP + side + 20 << "\">" << row
        << "</text>\n";
    for (size_t column = 0; column < classes; column++) {
      const int count = matrix.counts[row][column];
      const double share = sum == 0 ? 0 : static_cast<double>(count) / sum,
                   left = LEFT + CELL * static_cast<double>(column);
      svg << "<rect x=\"" << left << "\" y=\"" << top << "\" width=\"" << CELL << "\" height=\"" << CELL
          << "\" stroke=\"#cccccc\" fill=\"" << (row == column ? "#59a14f" : "#e15759") << "\" fill-opacity=\""
          << std::setprecision(3) << (row == column ? share : std::min(1.0, 4 * share)) << std::setprecision(1)
          << "\"/>\n";
      if (count > 0)
        svg << "<text x=\"" << left + CELL / 2 << "\" y=\"" << top + CELL / 2 + 5 << "\">" << count << "</text>\n";
    }
  }
  svg << "<text x=\"" << LEFT + side / 2 << "\" y=\"" << TOP + side + 44 << "\">taken for</text>\n"
      << "<text transform=\"translate(28 " << TOP + side / 2 << ") rotate(-90)\">digit</text>\n</g>\n";
  finish(svg, path);
}
