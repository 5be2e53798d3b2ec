package org.ndforge.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON: objects are maps, arrays are lists, numbers are doubles. */
public final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The value that a text holds. */
  public static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.space();
    if (json.at != text.length()) {
      throw json.wrong("there is text after the value");
    }
    return value;
  }

  /** The value of a text that is an object. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(String text) {
    return (Map<String, Object>) parse(text);
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("no JSON at character " + at + ": " + what);
  }

  private void space() {
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
  }

  private char next() {
    space();
    if (at >= text.length()) {
      throw wrong("the text ends");
    }
    return text.charAt(at);
  }

  private void take(char expected) {
    if (next() != expected) {
      throw wrong("'" + expected + "' is missing");
    }
    at++;
  }

  private boolean took(char expected) {
    if (next() != expected) {
      return false;
    }
    at++;
    return true;
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong("unknown word");
    }
    at += word.length();
    return value;
  }

  private Object value() {
    return switch (next()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> result = new LinkedHashMap<>();
    take('{');
    if (took('}')) {
      return result;
    }
    do {
      next();
      String name = string();
      take(':');
      result.put(name, value());
    } while (took(','));
    take('}');
    return result;
  }

  private List<Object> array() {
    List<Object> result = new ArrayList<>();
    take('[');
    if (took(']')) {
      return result;
    }
    do {
      result.add(value());
    } while (took(','));
    take(']');
    return result;
  }

  private String string() {
    take('"');
    StringBuilder result = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      result.append(c == '\\' ? escaped() : c);
    }
    if (at >= text.length()) {
      throw wrong("a string does not end");
    }
    at++;
    return result.toString();
  }

  private char escaped() {
    char c = text.charAt(at++);
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> c;
    };
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (start == at) {
      throw wrong("a value is missing");
    }
    return Double.valueOf(text.substring(start, at));
  }
}
