#include "cnpy/NpyHeader.h"

#include <array/DataTypeUtils.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "cnpy/Printable.h"
#include "system/Error.h"

namespace sd::npy {
namespace {

constexpr std::string_view MAGIC("\x93NUMPY", 6);

struct Kind {
  DataType dtype;
  char kind;
  unsigned size;
};

constexpr Kind KINDS[] = {{DataType::BOOL, 'b', 1},       {DataType::INT8, 'i', 1},     {DataType::INT16, 'i', 2},
                          {DataType::INT32, 'i', 4},      {DataType::INT64, 'i', 8},    {DataType::UINT8, 'u', 1},
                          {DataType::UINT16, 'u', 2},     {DataType::UINT32, 'u', 4},   {DataType::UINT64, 'u', 8},
                          {DataType::FLOAT8, 'f', 1},     {DataType::HALF, 'f', 2},     {DataType::FLOAT32, 'f', 4},
                          {DataType::DOUBLE, 'f', 8},     {DataType::BFLOAT16, 'V', 2}, {DataType::COMPLEX64, 'c', 8},
                          {DataType::COMPLEX128, 'c', 16}};

// FLOAT8 can be described, although arrays cannot have it
static_assert(std::size(KINDS) == types::NUMERIC_TYPES + 3, "each numeric type needs a row");

const Kind& entryOf(DataType dtype) {
  const auto found = std::find_if(std::begin(KINDS), std::end(KINDS), [&](const Kind& k) { return k.dtype == dtype; });
  if (found == std::end(KINDS)) fail<std::runtime_error>("[npy] type {} cannot be held by a .npy file", int(dtype));
  return *found;
}

std::string_view whyNot(char kind) {
  switch (kind) {
    case 'c':
      return "complex numbers of this size";
    case 'S':
    case 'a':
    case 'U':
      return "text";
    case 'O':
      return "Python objects";
    case 'M':
    case 'm':
      return "dates or times";
    case 'V':
      return "records or raw bytes";
    default:
      return "an unknown type";
  }
}

// Reads the subset of Python in which headers are written: a dict of strings, booleans and tuples of integers.
class DictReader {
 public:
  DictReader(std::string_view text, std::string_view where) : _text(text), _where(where) {}

  Header read() {
    expect('{');
    while (!accept('}')) {
      readEntry();
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skipBlanks();
    if (_pos != _text.size()) bad("there is text after the closing '}'");
    requireKey(_haveDescr, "descr");
    requireKey(_haveOrder, "fortran_order");
    requireKey(_haveShape, "shape");
    return _header;
  }

 private:
  void readEntry() {
    const std::string key = readString();
    expect(':');
    if (key == "descr") {
      once(_haveDescr, key);
      readDescr();
    } else if (key == "fortran_order") {
      once(_haveOrder, key);
      _header.fortranOrder = readBool();
    } else if (key == "shape") {
      once(_haveShape, key);
      readShape();
    } else {
      bad(fmt::format("the key '{}' is not allowed", printable(key)));
    }
  }

  void readDescr() {
    skipBlanks();
    if (_pos < _text.size() && (_text[_pos] == '[' || _text[_pos] == '('))
      bad("the elements are records (structured type), which an NDArray cannot hold");
    const std::string descr = readString();
    std::string_view rest = descr;
    char mark = '=';
    if (!rest.empty() && std::string_view("<>|=").find(rest[0]) != std::string_view::npos) {
      mark = rest[0];
      rest.remove_prefix(1);
    }
    if (rest == "?") rest = "b1";
    unsigned size = 0;
    if (rest.size() >= 2) {
      const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), size);
      if (error != std::errc() || end != rest.data() + rest.size()) size = 0;
    }
    const char kind = rest.empty() ? ' ' : (rest == "?2" ? 'V' : rest[0]);
    const auto found = std::find_if(std::begin(KINDS), std::end(KINDS),
                                    [&](const Kind& k) { return k.kind == kind && k.size == size; });
    if (found == std::end(KINDS))
      bad(fmt::format("the element type '{}' cannot be held by an NDArray ({})", printable(descr), whyNot(kind)));
    _header.dtype = found->dtype;
    _header.itemSize = found->size;
    _header.swapped = found->size > 1 && (mark == '<' || mark == '>') && mark != HOST_MARK;
  }

  void readShape() {
    expect('(');
    while (!accept(')')) {
      _header.dims.push_back(readInteger());
      if (_header.dims.size() > SD_MAX_RANK) bad(fmt::format("the shape has more than {} dimensions", SD_MAX_RANK));
      if (accept(',')) continue;
      if (_header.dims.size() == 1) bad("the shape is a number, not a tuple");
      expect(')');
      break;
    }
  }

  LongType readInteger() {
    skipBlanks();
    LongType value = 0;
    const auto [end, error] = std::from_chars(_text.data() + _pos, _text.data() + _text.size(), value);
    if (error == std::errc::result_out_of_range) bad("a dimension does not fit 64 bits");
    if (error != std::errc()) bad("a dimension is not an integer");
    if (value < 0) bad(fmt::format("a dimension is negative: {}", value));
    _pos = size_t(end - _text.data());
    if (_pos < _text.size() && _text[_pos] == 'L') ++_pos;  // long integers of Python 2
    return value;
  }

  bool readBool() {
    skipBlanks();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>("True", true), {"False", false}})
      if (_text.substr(_pos, word.size()) == word) {
        _pos += word.size();
        return value;
      }
    bad("fortran_order is neither True nor False");
  }

  std::string readString() {
    skipBlanks();
    const char quote = _pos < _text.size() ? _text[_pos] : ' ';
    if (quote != '\'' && quote != '"') bad(fmt::format("a string is missing at character {}", _pos));
    const size_t end = _text.find(quote, _pos + 1);
    if (end == std::string_view::npos) bad("a string is not closed");
    const std::string_view content = _text.substr(_pos + 1, end - _pos - 1);
    if (content.find('\\') != std::string_view::npos) bad("a string has an escape sequence");
    _pos = end + 1;
    return std::string(content);
  }

  void once(bool& seen, const std::string& key) {
    if (seen) bad(fmt::format("the key '{}' appears twice", key));
    seen = true;
  }

  void requireKey(bool seen, std::string_view key) {
    if (!seen) bad(fmt::format("the key '{}' is missing", key));
  }

  void skipBlanks() {
    while (_pos < _text.size() && std::string_view(" \t\r\n").find(_text[_pos]) != std::string_view::npos) ++_pos;
  }

  bool accept(char c) {
    skipBlanks();
    if (_pos >= _text.size() || _text[_pos] != c) return false;
    ++_pos;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) bad(fmt::format("'{}' is missing at character {}", c, _pos));
  }

  [[noreturn]] void bad(std::string_view what) const {
    fail<std::runtime_error>("[npy] {}: in the header, {}", _where, printable(what, 160));
  }

  std::string_view _text;
  std::string_view _where;
  size_t _pos = 0;
  Header _header;
  bool _haveDescr = false, _haveOrder = false, _haveShape = false;
};

size_t littleEndian(const char* bytes, size_t count) {
  size_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= size_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

}  // namespace

size_t headerSize(const char* data, size_t size, std::string_view where) {
  if (size < MAGIC.size() || std::memcmp(data, MAGIC.data(), MAGIC.size()) != 0)
    fail<std::runtime_error>("[npy] {}: not a .npy file (it does not begin with \\x93NUMPY)", where);
  if (size < 10) fail<std::runtime_error>("[npy] {}: truncated in the header, after {} bytes", where, size);
  const int version = static_cast<unsigned char>(data[6]);
  if (version < 1 || version > 3)
    fail<std::runtime_error>("[npy] {}: format version {} is not supported (1 to 3 are)", where, version);
  const size_t lengthBytes = version == 1 ? 2 : 4;
  if (size < 8 + lengthBytes)
    fail<std::runtime_error>("[npy] {}: truncated in the header, after {} bytes", where, size);
  const size_t text = littleEndian(data + 8, lengthBytes);
  if (text > MAX_HEADER_TEXT)
    fail<std::runtime_error>("[npy] {}: the header claims {} characters (the limit is {})", where, text,
                             MAX_HEADER_TEXT);
  return 8 + lengthBytes + text;
}

Header parseHeader(const char* data, size_t size, std::string_view where) {
  const size_t total = headerSize(data, size, where);
  if (size < total)
    fail<std::runtime_error>("[npy] {}: truncated in the header, after {} of {} bytes", where, size, total);
  const size_t start = data[6] == 1 ? 10 : 12;
  Header header = DictReader(std::string_view(data + start, total - start), where).read();
  header.dataOffset = total;
  header.dataBytes = checkedBytes(header.dims, header.itemSize, where);
  return header;
}

Header parseHeader(const void* data, std::string_view where) {
  if (data == nullptr) fail<std::runtime_error>("[npy] {}: the address is null", where);
  const char* bytes = static_cast<const char*>(data);
  // Compares byte by byte, so that nothing beyond the end of a block that is not a .npy file is read.
  size_t same = 0;
  while (same < MAGIC.size() && bytes[same] == MAGIC[same]) ++same;
  const size_t prefix = same < MAGIC.size() ? same : (bytes[6] == 1 ? PREFIX_SIZE - 2 : PREFIX_SIZE);
  return parseHeader(bytes, headerSize(bytes, prefix, where), where);
}

std::string makeHeader(std::string_view descr, bool fortranOrder, const std::vector<LongType>& dims) {
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': (", descr, fortranOrder ? "True" : "False");
  dict += fmt::format("{}{}), }}", fmt::join(dims, ", "), dims.size() == 1 ? "," : "");
  dict.append(63 - (10 + dict.size()) % 64, ' ');
  dict += '\n';
  std::string header(MAGIC);
  header += {'\x01', '\x00', char(dict.size() & 255), char(dict.size() >> 8)};
  return header + dict;
}

std::string descrOf(DataType dtype) {
  const Kind& kind = entryOf(dtype);
  return fmt::format("{}{}{}", kind.size == 1 ? '|' : HOST_MARK, kind.kind, kind.size);
}

char kindOf(DataType dtype) { return dtype == DataType::BFLOAT16 ? '?' : entryOf(dtype).kind; }

unsigned itemSizeOf(DataType dtype) { return entryOf(dtype).size; }

size_t checkedBytes(const std::vector<LongType>& dims, unsigned itemSize, std::string_view where) {
  if (dims.size() > SD_MAX_RANK)
    fail<std::runtime_error>("[npy] {}: rank {} is above {}", where, dims.size(), SD_MAX_RANK);
  size_t product = itemSize;
  bool empty = false;
  for (const LongType dim : dims) {
    if (dim < 0)
      fail<std::runtime_error>("[npy] {}: a dimension is negative (shape [{}])", where, fmt::join(dims, ", "));
    if (dim == 0) empty = true;
    if (dim > 0 && product > size_t(std::numeric_limits<LongType>::max()) / size_t(dim))
      fail<std::runtime_error>("[npy] {}: the number of elements overflows (shape [{}])", where, fmt::join(dims, ", "));
    if (dim > 0) product *= size_t(dim);
  }
  return empty ? 0 : product;
}

void normalise(const Header& header, char* data) {
  char* end = data + header.dataBytes;
  if (header.swapped)
    for (char* item = data; item != end; item += header.itemSize) std::reverse(item, item + header.itemSize);
  if (header.dtype == DataType::BOOL) std::transform(data, end, data, [](char c) { return char(c != 0); });
}

}  // namespace sd::npy
