// Pictures in the language of Graphviz.
#include <fmt/format.h>

#include "graph/Draw.h"
#include "graph/NodeText.h"

namespace sd::graph {
namespace {

/// A string of these lines, in quotes.
std::string quoted(const std::vector<std::string>& lines) {
  std::string result = "\"";
  for (const std::string& line : lines) {
    if (result.size() > 1) result += "\\n";
    for (const char c : legible(line)) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + "\"";
}

const char* attributesOf(BoxKind kind) {
  switch (kind) {
    case BoxKind::Placeholder:
      return "shape=ellipse, fillcolor=\"#d9f0dd\", color=\"#2e7d4f\"";
    case BoxKind::Variable:
      return "shape=cylinder, style=filled, fillcolor=\"#dbe9f8\", color=\"#3a6ea5\"";
    case BoxKind::Constant:
      return "shape=note, style=filled, fillcolor=\"#eeeeee\", color=\"#777777\"";
    case BoxKind::Outside:
      return "shape=ellipse, style=dashed, color=\"#777777\"";
    case BoxKind::Logic:
      return "shape=hexagon, fillcolor=\"#fdf0cc\", color=\"#9a7400\"";
    default:
      return "fillcolor=\"#ffffff\", color=\"#44546a\"";
  }
}

class DotWriter {
 public:
  std::string text = "";

  void write(const Picture& picture, const std::string& prefix, int depth) {
    const std::string indent(static_cast<size_t>(depth) * 2, ' ');
    for (size_t i = 0; i < picture.boxes.size(); i++) {
      const Box& box = picture.boxes[i];
      const std::string name = prefix + std::to_string(i);
      if (box.kind == BoxKind::Frame) {
        text += fmt::format("{}subgraph cluster_{} {{\n{}  label={};\n", indent, name, indent, quoted({box.title}));
        // Lines to and from a frame need a node in it.
        text += fmt::format("{}  {} [shape=point, style=invis];\n", indent, name);
        write(*box.inner, name + "_", depth + 1);
        text += indent + "}\n";
        continue;
      }
      std::vector<std::string> label = {box.title};
      if (!box.subtitle.empty()) label.push_back(box.subtitle);
      label.insert(label.end(), box.details.begin(), box.details.end());
      text += fmt::format("{}{} [label={}, {}{}];\n", indent, name, quoted(label), attributesOf(box.kind),
                          box.isResult ? ", peripheries=2, penwidth=1.5" : "");
    }
    for (const Line& line : picture.lines) {
      const auto isFrame = [&picture](int box) {
        return picture.boxes[static_cast<size_t>(box)].kind == BoxKind::Frame;
      };
      const std::string from = prefix + std::to_string(line.from), to = prefix + std::to_string(line.to);
      std::string label = picture.boxes[static_cast<size_t>(line.from)].outputs[static_cast<size_t>(line.output)];
      if (line.output > 0) label = fmt::format("{}{}{}", line.output, label.empty() ? "" : ": ", label);
      std::string attributes = label.empty() ? "" : "label=" + quoted({label});
      const auto add = [&attributes](const std::string& more) {
        attributes += (attributes.empty() ? "" : ", ") + more;
      };
      if (line.isControl) add("style=dashed");
      if (isFrame(line.from)) add("ltail=cluster_" + from);
      if (isFrame(line.to)) add("lhead=cluster_" + to);
      text += fmt::format("{}{} -> {}{};\n", indent, from, to, attributes.empty() ? "" : " [" + attributes + "]");
    }
  }
};

}  // namespace

std::string dotOf(const Graph& graph, const DrawingOptions& options) {
  const Picture picture = pictureOf(graph, shapesOf(graph, options));
  DotWriter writer;
  writer.text =
      fmt::format("digraph {} {{\n  compound=true;\n", quoted({graph.origin().empty() ? "graph" : graph.origin()}));
  writer.text +=
      "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11];\n"
      "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#666666\"];\n";
  writer.write(picture, "n", 1);
  return writer.text + "}\n";
}

}  // namespace sd::graph
