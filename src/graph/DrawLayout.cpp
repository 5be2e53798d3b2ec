#include "graph/DrawLayout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "graph/NodeText.h"

namespace sd::graph {
namespace {

using namespace drawing;

constexpr int LONGEST_LINE = 6;  // in layers; longer ones are cut
constexpr int ORDER_SWEEPS = 12, PLACE_SWEEPS = 24;
constexpr double BETWEEN = 22, BEND_WIDTH = 8, FRAME_MARGIN = 14;
constexpr double LEAST_GAP = 26, MOST_GAP = 110;

double widthOf(const std::string& text, double size) {
  return std::ceil(static_cast<double>(columnsOf(text)) * size * ADVANCE);
}

size_t at(int index) { return static_cast<size_t>(index); }

/// Sizes of the frame, and places of the outputs.
PlacedBox sized(const Box& box) {
  PlacedBox placed;
  placed.box = box;
  double width = widthOf(box.title, TITLE_SIZE);
  if (box.kind == BoxKind::Frame) {
    auto inner = std::make_shared<Layout>(layOut(*box.inner));
    placed.height = PADDING + TITLE_LINE + inner->height;
    width = std::max(width, inner->width);
    placed.inner = std::move(inner);
  } else {
    placed.height = 2 * PADDING + TITLE_LINE;
    if (!box.subtitle.empty()) placed.height += TEXT_LINE;
    placed.height += TEXT_LINE * static_cast<double>(box.details.size());
    width = std::max(width, widthOf(box.subtitle, TEXT_SIZE));
    for (const std::string& detail : box.details) width = std::max(width, widthOf(detail, TEXT_SIZE));
  }
  placed.width = width + 2 * PADDING;
  if (box.outputs.size() == 1) {
    placed.outputs = {placed.width / 2};
    return placed;
  }
  // Several outputs stand side by side with their labels.
  double x = PADDING;
  for (const std::string& label : box.outputs) {
    placed.outputs.push_back(x);
    x += std::max(16., widthOf(label, LABEL_SIZE) + 14);
  }
  placed.width = std::max(placed.width, x);
  return placed;
}

/// What a layer consists of: boxes, and bends of lines that pass it.
struct Vertex {
  int box = -1;      // -1: a bend
  double width = 0;  // with the labels of outputs
  double height = 0;
  int layer = 0;
  double x = 0, place = 0;  // place: the rank in its layer while layers are put into order
};

struct Link {
  int from, to;    // vertices of neighbouring layers
  double out, in;  // where it leaves and enters, from x of the vertices
};

class LayoutMaker {
 public:
  explicit LayoutMaker(const Picture& picture) : _lines(picture.lines) {
    for (const Box& box : picture.boxes) _boxes.push_back(sized(box));
  }

  Layout make() {
    findLayers();
    cutLines();
    makeVertices();
    orderLayers();
    placeAcross();
    return finished();
  }

 private:
  std::vector<PlacedBox> _boxes;
  std::vector<Line> _lines;
  std::vector<int> _layerOf;      // of boxes
  std::vector<bool> _back;        // lines that go up
  std::vector<Vertex> _vertices;  // first those of the boxes
  std::vector<Link> _links;
  std::vector<std::vector<int>> _paths;  // the links of each line
  std::vector<std::vector<int>> _layers;
  std::vector<std::vector<int>> _up, _down;  // the links of each vertex

  void findLayers();
  void cutLines();
  void makeVertices();
  void orderLayers();
  void placeAcross();
  void settle(const std::vector<int>& layer, const std::vector<double>& wanted, const std::vector<double>& weights);
  Layout finished();
};

/// The layer after the last of the boxes that a line comes from. What no line goes to stands just above its first
/// reader.
void LayoutMaker::findLayers() {
  const size_t count = _boxes.size();
  _layerOf.assign(count, -1);
  _back.assign(_lines.size(), false);
  std::vector<std::vector<int>> in(count), out(count);
  std::vector<int> waits(count, 0);
  for (size_t i = 0; i < _lines.size(); i++) {
    if (_lines[i].from == _lines[i].to) {
      _back[i] = true;
      continue;
    }
    in[at(_lines[i].to)].push_back(static_cast<int>(i));
    out[at(_lines[i].from)].push_back(static_cast<int>(i));
    waits[at(_lines[i].to)]++;
  }
  std::vector<int> ready;
  size_t done = 0, next = 0;
  for (size_t box = count; box-- > 0;)
    if (waits[box] == 0) ready.push_back(static_cast<int>(box));
  while (done < count) {
    if (ready.empty()) {
      // A cycle: the lines that still go to the first box in it lead back.
      while (_layerOf[next] >= 0) next++;
      for (const int line : in[next])
        if (_layerOf[at(_lines[at(line)].from)] < 0) _back[at(line)] = true;
      waits[next] = 0;
      ready.push_back(static_cast<int>(next));
    }
    const int box = ready.back();
    ready.pop_back();
    int layer = 0;
    for (const int line : in[at(box)])
      if (!_back[at(line)]) layer = std::max(layer, _layerOf[at(_lines[at(line)].from)] + 1);
    _layerOf[at(box)] = layer;
    done++;
    for (const int line : out[at(box)])
      if (!_back[at(line)] && --waits[at(_lines[at(line)].to)] == 0) ready.push_back(_lines[at(line)].to);
  }
  for (size_t box = 0; box < count; box++) {
    if (!in[box].empty()) continue;
    int first = std::numeric_limits<int>::max();
    for (const int line : out[box])
      if (!_back[at(line)]) first = std::min(first, _layerOf[at(_lines[at(line)].to)]);
    if (first != std::numeric_limits<int>::max()) _layerOf[box] = std::max(0, first - 1);
  }
}

void LayoutMaker::cutLines() {
  std::map<std::pair<std::pair<int, int>, int>, int> stubs;  // (box and output, layer)
  for (size_t i = 0; i < _lines.size(); i++) {
    Line& line = _lines[i];
    const int to = _layerOf[at(line.to)];
    if (!_back[i] && to - _layerOf[at(line.from)] <= LONGEST_LINE) continue;
    const auto [stub, isNew] = stubs.try_emplace({{line.from, line.output}, to}, static_cast<int>(_boxes.size()));
    if (isNew) {
      const Box& from = _boxes[at(line.from)].box;
      Box box;
      box.kind = BoxKind::Outside;
      box.title = from.title;
      // The number of a node.
      if (from.kind == BoxKind::Operation || from.kind == BoxKind::Logic)
        box.title += " " + from.subtitle + (line.output > 0 ? ":" + std::to_string(line.output) : "");
      box.outputs[0] = from.outputs[at(line.output)];
      _boxes.push_back(sized(box));
      _layerOf.push_back(to - 1);
    }
    line.from = stub->second;
    line.output = 0;
  }
  if (_layerOf.empty()) return;
  const int least = *std::min_element(_layerOf.begin(), _layerOf.end());
  for (int& layer : _layerOf) layer -= least;
}

void LayoutMaker::makeVertices() {
  for (size_t i = 0; i < _boxes.size(); i++) {
    const PlacedBox& box = _boxes[i];
    Vertex vertex;
    vertex.box = static_cast<int>(i);
    vertex.layer = _layerOf[i];
    const bool hasLabels =
        std::any_of(box.box.outputs.begin(), box.box.outputs.end(), [](const auto& text) { return !text.empty(); });
    vertex.width = std::max(box.width, box.outputs.back() + widthOf(box.box.outputs.back(), LABEL_SIZE) + 8);
    vertex.height = box.height + (hasLabels ? LABEL_LINE : 0);
    _vertices.push_back(vertex);
  }
  std::vector<int> inputs(_boxes.size(), 0), seen(_boxes.size(), 0);
  for (const Line& line : _lines) inputs[at(line.to)]++;
  for (const Line& line : _lines) {
    _paths.emplace_back();
    int from = line.from;
    double out = _boxes[at(line.from)].outputs[at(line.output)];
    const auto link = [&](int to, double in) {
      _paths.back().push_back(static_cast<int>(_links.size()));
      _links.push_back({from, to, out, in});
      from = to;
      out = BEND_WIDTH / 2;
    };
    for (int layer = _layerOf[at(line.from)] + 1; layer < _layerOf[at(line.to)]; layer++) {
      Vertex bend;
      bend.layer = layer;
      bend.width = BEND_WIDTH;
      _vertices.push_back(bend);
      link(static_cast<int>(_vertices.size()) - 1, BEND_WIDTH / 2);
    }
    const double share = static_cast<double>(++seen[at(line.to)]) / (inputs[at(line.to)] + 1);
    link(line.to, _boxes[at(line.to)].width * share);
  }
  int layers = 0;
  for (const Vertex& vertex : _vertices) layers = std::max(layers, vertex.layer + 1);
  _layers.resize(at(layers));
  for (size_t i = 0; i < _vertices.size(); i++) _layers[at(_vertices[i].layer)].push_back(static_cast<int>(i));
  _up.resize(_vertices.size());
  _down.resize(_vertices.size());
  for (size_t i = 0; i < _links.size(); i++) {
    _down[at(_links[i].from)].push_back(static_cast<int>(i));
    _up[at(_links[i].to)].push_back(static_cast<int>(i));
  }
}

/// Puts each layer into the order of the mean places of the neighbours above, then below, and so on: lines cross less.
void LayoutMaker::orderLayers() {
  const auto number = [this](const std::vector<int>& layer) {
    for (size_t i = 0; i < layer.size(); i++) _vertices[at(layer[i])].place = static_cast<double>(i);
  };
  for (const auto& layer : _layers) number(layer);
  const auto sweep = [&](std::vector<int>& layer, bool fromAbove) {
    std::vector<std::pair<double, int>> order;
    for (const int id : layer) {
      const auto& links = (fromAbove ? _up : _down)[at(id)];
      double sum = 0;
      for (const int link : links) {
        const Link& l = _links[at(link)];
        const Vertex& other = _vertices[at(fromAbove ? l.from : l.to)];
        // Lines at one vertex are in the order of the places where they leave or enter it.
        sum += other.place + 0.9 * (fromAbove ? l.out : l.in) / std::max(1., other.width);
      }
      order.emplace_back(links.empty() ? _vertices[at(id)].place : sum / static_cast<double>(links.size()), id);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < order.size(); i++) layer[i] = order[i].second;
    number(layer);
  };
  for (int i = 0; i < ORDER_SWEEPS; i++) {
    for (size_t k = 1; k < _layers.size(); k++) sweep(_layers[k], true);
    for (size_t k = _layers.size(); k-- > 1;) sweep(_layers[k - 1], false);
  }
}

/// Moves the vertices of a layer as near as possible to the wanted places, in their order and without overlaps: the
/// least sum of squares, by pooling neighbours that would overlap.
void LayoutMaker::settle(const std::vector<int>& layer, const std::vector<double>& wanted,
                         const std::vector<double>& weights) {
  struct Pool {
    double sum, weight;
    size_t end;
  };
  std::vector<Pool> pools;
  std::vector<double> offset(layer.size(), 0);
  for (size_t i = 0; i < layer.size(); i++) {
    if (i > 0) {
      const Vertex &before = _vertices[at(layer[i - 1])], &here = _vertices[at(layer[i])];
      const double gap = before.box < 0 && here.box < 0 ? BETWEEN / 2 : BETWEEN;
      offset[i] = offset[i - 1] + before.width + gap;
    }
    pools.push_back({(wanted[i] - offset[i]) * weights[i], weights[i], i + 1});
    while (pools.size() > 1) {
      const Pool last = pools.back();
      Pool& before = pools[pools.size() - 2];
      if (before.sum / before.weight <= last.sum / last.weight) break;
      before = {before.sum + last.sum, before.weight + last.weight, last.end};
      pools.pop_back();
    }
  }
  size_t i = 0;
  for (const Pool& pool : pools)
    for (; i < pool.end; i++) _vertices[at(layer[i])].x = pool.sum / pool.weight + offset[i];
}

void LayoutMaker::placeAcross() {
  for (const auto& layer : _layers) {
    double x = BETWEEN / 2;
    for (const int id : layer) x -= (_vertices[at(id)].width + BETWEEN) / 2;
    for (const int id : layer) {
      _vertices[at(id)].x = x;
      x += _vertices[at(id)].width + BETWEEN;
    }
  }
  const auto pull = [&](const std::vector<int>& layer, bool above, bool below) {
    std::vector<double> wanted, weights;
    for (const int id : layer) {
      const Vertex& vertex = _vertices[at(id)];
      double sum = 0, weight = 0;
      const auto add = [&](double x, int other) {
        // Long lines are straight rather than their ends in the middle; variables keep to their readers.
        const bool isSource = _up[at(id)].empty() || _up[at(other)].empty();
        const double w = vertex.box < 0 && _vertices[at(other)].box < 0 ? 6 : isSource ? 0.05 : 1;
        sum += w * x;
        weight += w;
      };
      if (above)
        for (const int link : _up[at(id)]) {
          const Link& l = _links[at(link)];
          add(_vertices[at(l.from)].x + l.out - l.in, l.from);
        }
      if (below)
        for (const int link : _down[at(id)]) {
          const Link& l = _links[at(link)];
          add(_vertices[at(l.to)].x + l.in - l.out, l.to);
        }
      wanted.push_back(weight > 0 ? sum / weight : vertex.x);
      weights.push_back(weight > 0 ? weight : 0.01);
    }
    settle(layer, wanted, weights);
  };
  for (int i = 0; i < PLACE_SWEEPS; i++) {
    const bool last = i + 1 == PLACE_SWEEPS;
    for (size_t k = 0; k < _layers.size(); k++) pull(_layers[k], true, last);
    for (size_t k = _layers.size(); k-- > 0;) pull(_layers[k], last, true);
  }
}

Layout LayoutMaker::finished() {
  Layout layout;
  double left = std::numeric_limits<double>::max(), right = 0;
  for (const Vertex& vertex : _vertices) left = std::min(left, vertex.x);
  for (Vertex& vertex : _vertices) {
    vertex.x = std::round(vertex.x - left + FRAME_MARGIN);
    right = std::max(right, vertex.x + vertex.width);
  }
  std::vector<double> tops, bottoms;
  double y = FRAME_MARGIN;
  for (const auto& layer : _layers) {
    double height = 0, reach = 0;
    for (const int id : layer) {
      height = std::max(height, _vertices[at(id)].height);
      for (const int link : _down[at(id)]) {
        const Link& l = _links[at(link)];
        reach = std::max(reach, std::abs(_vertices[at(l.from)].x + l.out - _vertices[at(l.to)].x - l.in));
      }
    }
    tops.push_back(y);
    bottoms.push_back(y + height);
    y += height + std::clamp(reach / 10, LEAST_GAP, MOST_GAP);
  }
  layout.width = right + FRAME_MARGIN;
  layout.height = (bottoms.empty() ? FRAME_MARGIN : bottoms.back()) + FRAME_MARGIN;
  for (size_t i = 0; i < _boxes.size(); i++) {
    _boxes[i].x = _vertices[i].x;
    _boxes[i].y = tops[at(_vertices[i].layer)];
  }
  for (size_t i = 0; i < _lines.size(); i++) {
    PlacedLine line;
    line.isControl = _lines[i].isControl;
    for (const int link : _paths[i]) {
      const Link& l = _links[at(link)];
      const Vertex &from = _vertices[at(l.from)], &to = _vertices[at(l.to)];
      const double start = from.box < 0 ? tops[at(from.layer)] : _boxes[at(from.box)].y + _boxes[at(from.box)].height;
      if (line.points.empty()) line.points.push_back({from.x + l.out, start});
      line.points.push_back({from.x + l.out, bottoms[at(from.layer)]});
      line.points.push_back({to.x + l.in, tops[at(to.layer)]});
    }
    layout.lines.push_back(std::move(line));
  }
  layout.boxes = std::move(_boxes);
  return layout;
}

}  // namespace

Layout layOut(const Picture& picture) { return LayoutMaker(picture).make(); }

}  // namespace sd::graph
