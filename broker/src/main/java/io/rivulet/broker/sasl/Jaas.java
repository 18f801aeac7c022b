package io.rivulet.broker.sasl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads JAAS configurations, of which Kafka uses the options of login modules:
 *
 * <pre>
 * KafkaServer {
 *   org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="secret" user_bob="word";
 * };
 * </pre>
 *
 * <p>The value of a key has no name and no braces. Classes are never loaded. Owned by: one caller.
 */
final class Jaas {
    private static final Set<String> FLAGS = Set.of("required", "requisite", "sufficient", "optional");
    private static final String END = "";

    /** A login module. Immutable. */
    record Module(String className, Map<String, String> options) {
        /** Without secrets. */
        @Override
        public String toString() {
            return className;
        }
    }

    /** The text can't be read. The message has no part of it, because it may be a secret. */
    static final class JaasException extends Exception {
        private static final long serialVersionUID = 1;

        JaasException(String message) {
            super(message);
        }
    }

    private final String text;
    private int at;
    private boolean quoted;

    private Jaas(String text) {
        this.text = text;
    }

    /** The one module in the value of a key. */
    static Module module(String text) throws JaasException {
        Jaas source = new Jaas(text);
        Module module = source.readModule(source.next());
        if (!source.next().equals(END)) {
            throw new JaasException("has more than one login module");
        }
        return module;
    }

    /** The modules of each section of a file. */
    static Map<String, List<Module>> sections(String text) throws JaasException {
        Map<String, List<Module>> sections = new LinkedHashMap<>();
        Jaas source = new Jaas(text);
        for (String name = source.next(); !name.equals(END); name = source.next()) {
            source.require("{");
            List<Module> modules = new ArrayList<>();
            for (String word = source.next(); !word.equals("}"); word = source.next()) {
                modules.add(source.readModule(word));
            }
            source.require(";");
            sections.put(name, modules);
        }
        return sections;
    }

    private Module readModule(String className) throws JaasException {
        if (className.equals(END)) {
            throw new JaasException("ends where a login module is expected");
        }
        if (!FLAGS.contains(next().toLowerCase(Locale.ROOT))) {
            throw new JaasException("has a login module without a flag such as required");
        }
        Map<String, String> options = new LinkedHashMap<>();
        for (String key = next(); quoted || !key.equals(";"); key = next()) {
            if (key.equals(END)) {
                throw new JaasException("has a login module without a semicolon at its end");
            }
            require("=");
            options.put(key, next());
        }
        return new Module(className, options);
    }

    private void require(String symbol) throws JaasException {
        if (!next().equals(symbol) || quoted) {
            throw new JaasException("lacks a '" + symbol + "'");
        }
    }

    /** The next word, text in quotes, or symbol; {@link #END} at the end. */
    private String next() throws JaasException {
        skipSpace();
        quoted = false;
        if (at == text.length()) {
            return END;
        }
        char first = text.charAt(at);
        if (first == '"' || first == '\'') {
            return quotedText(first);
        }
        int start = at;
        if (isSymbol(first)) {
            at++;
        } else {
            while (at < text.length() && isInWord(text.charAt(at))) {
                at++;
            }
        }
        return text.substring(start, at);
    }

    private String quotedText(char quote) throws JaasException {
        quoted = true;
        StringBuilder read = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != quote; at++) {
            char c = text.charAt(at);
            if (c == '\\' && at + 1 < text.length()) {
                at++;
                c = unescaped(text.charAt(at));
            }
            read.append(c);
        }
        if (at == text.length()) {
            throw new JaasException("has a text without a quote at its end");
        }
        at++;
        return read.toString();
    }

    private static char unescaped(char c) {
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            default -> c;
        };
    }

    private void skipSpace() {
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith("//", at)) {
                at = endOf("\n");
            } else if (text.startsWith("/*", at)) {
                at = endOf("*/");
            } else {
                return;
            }
        }
    }

    private int endOf(String mark) {
        int found = text.indexOf(mark, at);
        return found < 0 ? text.length() : found + mark.length();
    }

    private static boolean isSymbol(char c) {
        return c == '{' || c == '}' || c == ';' || c == '=';
    }

    private static boolean isInWord(char c) {
        return !isSymbol(c) && !Character.isWhitespace(c) && c != '"' && c != '\'';
    }
}
