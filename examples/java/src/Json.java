import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON: objects are maps, arrays are lists. If you have a library for it, use that. */
final class Json {
  private final String text;
  private int index;

  private Json(String text) {
    this.text = text;
  }

  /** Throws IllegalArgumentException if the text is not JSON. */
  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.skipSpace();
    if (json.index < text.length()) throw json.unexpected();
    return value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> parseObject(String text) {
    return (Map<String, Object>) parse(text);
  }

  static String write(Object value) {
    if (value instanceof Map<?, ?> map) {
      List<String> members = new ArrayList<>();
      map.forEach((name, member) -> members.add(write(name) + ":" + write(member)));
      return "{" + String.join(",", members) + "}";
    }
    if (value instanceof List<?> list) {
      return "[" + String.join(",", list.stream().map(Json::write).toList()) + "]";
    }
    return value instanceof String string ? quote(string) : String.valueOf(value);
  }

  private static String quote(String string) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : string.toCharArray()) {
      if (c == '"' || c == '\\') quoted.append('\\').append(c);
      else if (c < ' ') quoted.append(String.format("\\u%04x", (int) c));
      else quoted.append(c);
    }
    return quoted.append('"').toString();
  }

  private Object value() {
    skipSpace();
    if (index == text.length()) throw unexpected();
    return switch (text.charAt(index)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> literal();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    index++;
    if (skips('}')) return members;
    do {
      skipSpace();
      String name = string();
      expect(':');
      members.put(name, value());
    } while (skips(','));
    expect('}');
    return members;
  }

  private List<Object> array() {
    List<Object> elements = new ArrayList<>();
    index++;
    if (skips(']')) return elements;
    do elements.add(value()); while (skips(','));
    expect(']');
    return elements;
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    while (index < text.length() && text.charAt(index) != '"') {
      char c = text.charAt(index++);
      string.append(c == '\\' ? escaped() : c);
    }
    expect('"');
    return string.toString();
  }

  private char escaped() {
    char c = text.charAt(index++);
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> (char) Integer.parseInt(text.substring(index, index += 4), 16);
      default -> c;
    };
  }

  private Object literal() {
    int start = index;
    while (index < text.length() && ",]} \t\r\n".indexOf(text.charAt(index)) < 0) index++;
    String literal = text.substring(start, index);
    return switch (literal) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> null;
      default -> Double.valueOf(literal);
    };
  }

  private void expect(char c) {
    if (!skips(c)) throw unexpected();
  }

  private boolean skips(char c) {
    skipSpace();
    if (index == text.length() || text.charAt(index) != c) return false;
    index++;
    return true;
  }

  private void skipSpace() {
    while (index < text.length() && Character.isWhitespace(text.charAt(index))) index++;
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("not JSON at character " + index + ": " + text);
  }
}
