package io.rivulet.broker.top;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A line of Prometheus' text format 0.0.4: a series and its value. Immutable. */
record Sample(String name, Map<String, String> labels, double value) {
    Sample {
        labels = Map.copyOf(labels);
    }

    /** Null for a comment, an empty line, and what is no sample. */
    static @Nullable Sample parse(String line) {
        return line.isEmpty() || line.charAt(0) == '#' ? null : new Parser(line).sample();
    }

    String label(String wanted) {
        return labels.getOrDefault(wanted, "");
    }

    /** Owned by: the caller of {@link #parse}. */
    private static final class Parser {
        private final String line;
        private int at;

        Parser(String line) {
            this.line = line;
        }

        @Nullable
        Sample sample() {
            String name = word();
            Map<String, String> labels = new LinkedHashMap<>();
            if (name.isEmpty() || (next() == '{' && !labels(labels))) {
                return null;
            }
            skipSpaces();
            int end = line.indexOf(' ', at);
            String value = line.substring(at, end < 0 ? line.length() : end);
            try {
                return new Sample(name, labels, number(value));
            } catch (NumberFormatException e) {
                return null;
            }
        }

        private static double number(String value) {
            return switch (value) {
                case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.parseDouble(value);
            };
        }

        /** False if this is no list of labels. */
        private boolean labels(Map<String, String> labels) {
            at++;
            while (next() != '}') {
                skipSpaces();
                String name = word();
                if (name.isEmpty() || next() != '=') {
                    return false;
                }
                at++;
                if (next() != '"') {
                    return false;
                }
                String value = quoted();
                if (value == null) {
                    return false;
                }
                labels.put(name, value);
                skipSpaces();
                if (next() == ',') {
                    at++;
                    skipSpaces();
                } else if (next() != '}') {
                    return false;
                }
            }
            at++;
            return true;
        }

        /** Null if it has no end. */
        private @Nullable String quoted() {
            StringBuilder text = new StringBuilder();
            at++;
            while (at < line.length() && line.charAt(at) != '"') {
                char c = line.charAt(at++);
                if (c == '\\' && at < line.length()) {
                    char escaped = line.charAt(at++);
                    text.append(escaped == 'n' ? '\n' : escaped);
                } else {
                    text.append(c);
                }
            }
            boolean ended = next() == '"';
            at++;
            return ended ? text.toString() : null;
        }

        private String word() {
            int from = at;
            while (at < line.length() && isInWord(line.charAt(at))) {
                at++;
            }
            return line.substring(from, at);
        }

        private static boolean isInWord(char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
        }

        private void skipSpaces() {
            while (next() == ' ' || next() == '\t') {
                at++;
            }
        }

        /** 0 at the end of the line. */
        private char next() {
            return at < line.length() ? line.charAt(at) : 0;
        }
    }
}
