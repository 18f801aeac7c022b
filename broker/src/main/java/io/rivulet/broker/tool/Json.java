package io.rivulet.broker.tool;

import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.json.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses the files that Kafka's tools take. An object is a map, an array a list, a number a long or a double. Owned by:
 * one thread.
 */
public final class Json {
    private static final int MAX_DEPTH = 20;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    public static @Nullable Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        if (json.peek() != 0) {
            throw json.unexpected();
        }
        return value;
    }

    /** The text in quotes. */
    static String quoted(String text) {
        return JsonText.of(text);
    }

    private @Nullable Object value() {
        char first = peek();
        if (first == '{' || first == '[') {
            if (++depth > MAX_DEPTH) {
                throw new ClientException("the JSON is nested too deeply");
            }
            Object nested = first == '{' ? object() : array();
            depth--;
            return nested;
        }
        return first == '"' ? string() : word();
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        at++;
        while (peek() != '}') {
            if (peek() != '"') {
                throw unexpected();
            }
            String key = string();
            require(':');
            object.put(key, value());
            skipComma('}');
        }
        at++;
        return object;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> array = new ArrayList<>();
        at++;
        while (peek() != ']') {
            array.add(value());
            skipComma(']');
        }
        at++;
        return array;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            string.append(c == '\\' ? escaped() : c);
        }
        require('"');
        return string.toString();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            default -> throw unexpected();
        };
    }

    private char unicode() {
        try {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw unexpected();
        }
    }

    private @Nullable Object word() {
        int from = at;
        while (at < text.length() && isInWord(text.charAt(at))) {
            at++;
        }
        String word = text.substring(from, at);
        try {
            return switch (word) {
                case "null" -> null;
                case "true", "false" -> Boolean.valueOf(word);
                default -> word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
            };
        } catch (NumberFormatException e) {
            at = from;
            throw unexpected();
        }
    }

    private static boolean isInWord(char c) {
        return Character.isLetterOrDigit(c) || "+-.".indexOf(c) >= 0;
    }

    private void skipComma(char end) {
        if (peek() == ',') {
            at++;
            if (peek() == end) {
                throw unexpected();
            }
        } else if (peek() != end) {
            throw unexpected();
        }
    }

    private void require(char expected) {
        if (peek() != expected) {
            throw unexpected();
        }
        at++;
    }

    /** The next character that is no white space; 0 at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private ClientException unexpected() {
        return new ClientException("this is no JSON, at character " + at + ": '"
                + text.substring(Math.min(at, text.length()), Math.min(text.length(), at + 20)) + "'");
    }
}
