package io.rivulet.it.suites;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contents of {@code suites.txt}. Its first lines describe the format. Immutable.
 *
 * @param groups the group of each class that is run
 * @param parts the classes of each part: a second name for some of the classes that are run
 * @param leftOut what is left out, and why: classes, methods, and calls of a method
 */
record Suites(Map<String, String> groups, Map<String, Set<String>> parts, Map<Name, LeftOut> leftOut) {
    static final String ALL = "*";

    private static final Pattern HEADING = Pattern.compile("== (run|part|left out) ([a-z-]+)(?:: (.+))?");
    private static final Pattern ENTRY = Pattern.compile("([\\w.]+|\\*)(?:#(\\w+|\\*)(?: (.+))?)?");

    /**
     * A class, a method or some calls of a method.
     *
     * @param type "*" for all classes
     * @param method "" for the whole class, "*" for all methods
     * @param text what the display name of a call contains; "" for all calls
     */
    record Name(String type, String method, String text) {
        boolean isClass() {
            return method.isEmpty();
        }

        boolean matches(String otherType, String otherMethod, String displayName) {
            return (type.equals(ALL) || type.equals(otherType))
                    && (method.equals(ALL) || method.equals(otherMethod))
                    && displayName.contains(text);
        }
    }

    /**
     * Why something is left out.
     *
     * @param kind a word for tables
     */
    record LeftOut(String kind, String reason) {}

    static Suites load() {
        try (InputStream in = Suites.class.getResourceAsStream("/suites.txt")) {
            if (in == null) {
                throw new IllegalStateException("suites.txt is not on the class path");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Suites parse(Stream<String> lines) {
        Suites suites = new Suites(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        Matcher section = HEADING.matcher("");
        for (String line : lines.toList()) {
            if (line.startsWith("== ")) {
                section = heading(line);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                if (!suites.add(section, name(line))) {
                    throw new IllegalArgumentException("suites.txt has this line twice: " + line);
                }
            }
        }
        return suites;
    }

    /** Returns false if the name is there already. */
    private boolean add(Matcher section, Name name) {
        String title = section.group(2);
        return switch (section.group(1)) {
            case "run" -> groups.put(name.type(), title) == null;
            case "part" ->
                parts.computeIfAbsent(title, part -> new LinkedHashSet<>()).add(name.type());
            default -> leftOut.put(name, new LeftOut(title, section.group(3))) == null;
        };
    }

    private static Matcher heading(String line) {
        Matcher heading = HEADING.matcher(line);
        if (!heading.matches() || heading.group(1).equals("left out") != (heading.group(3) != null)) {
            throw new IllegalArgumentException("not a heading with what it needs: " + line);
        }
        return heading;
    }

    private static Name name(String line) {
        Matcher entry = ENTRY.matcher(line);
        if (!entry.matches()) {
            throw new IllegalArgumentException("not a class, a method or a call: " + line);
        }
        return new Name(entry.group(1), orEmpty(entry.group(2)), orEmpty(entry.group(3)));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    Optional<LeftOut> leftOut(String type, String method, String displayName) {
        return leftOut.entrySet().stream()
                .filter(entry -> entry.getKey().matches(type, method, displayName))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Classes to run: all, or those of some groups, parts or names. */
    List<String> select(List<String> wanted) {
        return groups.entrySet().stream()
                .filter(entry -> wanted.isEmpty() || isWanted(wanted, entry.getKey(), entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private boolean isWanted(List<String> wanted, String type, String group) {
        String simpleName = type.substring(type.lastIndexOf('.') + 1);
        return wanted.contains(group)
                || wanted.contains(type)
                || wanted.contains(simpleName)
                || wanted.stream()
                        .anyMatch(name -> parts.getOrDefault(name, Set.of()).contains(type));
    }
}
