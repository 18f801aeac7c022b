package io.rivulet.broker.regex;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Scans a regular expression once and estimates the cost of its compilation, in instructions of the program. It knows
 * the necessary part of RE2's syntax: groups, classes, repeats, alternatives, escapes and flags. Invalid syntax is left
 * to the compiler, which refuses it.
 *
 * <pre>
 * a character                                         1
 * an anchor, an alternative, *, +, ?                  5
 * a group                                             15 and what is in it
 * {n,m}                                               what stands before it and 5, m times; {n,} n times
 * a class [...]                                       1 for each part, and 1 for each character of a
 *                                                     case-insensitive range
 * \d, \w, \s, [:alpha:]                               4
 * \p{...}                                             200: some have hundreds of ranges
 * </pre>
 *
 * <p>An instruction that takes no character counts as 5: the matcher follows a chain of them by recursion, with up to
 * 240 bytes of stack for each. So no chain is longer than 2,000, which fits in half of the 1 MiB that threads have.
 *
 * <p>Case-insensitive characters beyond ASCII are refused: RE2/J visits each character of a range, and for some it
 * never ends. No topic has such a name.
 *
 * <p>Confined to one call.
 */
final class RegexBounds {
    static final int MAX_CHARS = 8192;
    static final int MAX_DEPTH = 100;
    static final int MAX_COST = 10_000;

    /** The cost of an instruction that takes no character. */
    private static final int EMPTY_COST = 5;

    /** One instruction for its start, one for its end, and one for an empty group. */
    private static final int GROUP_COST = 3 * EMPTY_COST;

    private static final int NAMED_CLASS_COST = 4;
    private static final int UNICODE_CLASS_COST = 200;
    private static final int LAST_ASCII = 0x7f;
    private static final int HEX = 16;
    /** The compiler refuses more than a thousand repeats. */
    private static final int MOST_REPEATS = 100_000;

    private static final char END = '\0';

    /** Escapes that are anchors. */
    private static final String ANCHORS = "AbBzZ";

    private final String regex;
    private final boolean folds;
    /** The cost so far of each open group. */
    private long[] open = new long[8];

    private int depth;
    private int deepest;
    /** The cost of the last atom, which a repeat may follow. */
    private long lastAtom;

    private boolean beyondAscii;
    private int at;

    private RegexBounds(String regex) {
        this.regex = regex;
        this.folds = setsFlag(regex);
    }

    /** Why the expression costs too much; null if it does not. */
    static @Nullable String excess(String regex) {
        if (regex.length() > MAX_CHARS) {
            return "it has " + regex.length() + " characters; the limit is " + MAX_CHARS;
        }
        RegexBounds bounds = new RegexBounds(regex);
        bounds.scan();
        if (bounds.deepest > MAX_DEPTH) {
            return "groups are nested more than " + MAX_DEPTH + " deep";
        }
        if (bounds.open[0] > MAX_COST) {
            return "with its repeats and classes it takes " + bounds.open[0] + " instructions; the limit is "
                    + MAX_COST;
        }
        if (bounds.folds && bounds.beyondAscii) {
            return "the case of characters beyond ASCII can't be folded";
        }
        return null;
    }

    /** Whether a group of flags may contain an i. */
    private static boolean setsFlag(String regex) {
        for (int start = regex.indexOf("(?"); start >= 0; start = regex.indexOf("(?", start + 2)) {
            for (int i = start + 2; i < regex.length() && isFlag(regex.charAt(i)); i++) {
                if (regex.charAt(i) == 'i') {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isFlag(char c) {
        return c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    // ---- the walk ----

    private void scan() {
        while (at < regex.length()) {
            char c = regex.charAt(at++);
            switch (c) {
                case '(' -> openGroup();
                case ')' -> closeGroup();
                case '[' -> atom(characterClass());
                case '|' -> {
                    atom(EMPTY_COST);
                    lastAtom = 0;
                }
                case '*', '+', '?' -> add(EMPTY_COST);
                case '^', '$' -> atom(EMPTY_COST);
                case '{' -> repeat();
                case '\\' -> escape();
                default -> atom(character(c));
            }
        }
        while (depth > 0) {
            closeGroup();
        }
    }

    private void atom(long cost) {
        open[depth] = saturated(open[depth] + cost);
        lastAtom = cost;
    }

    /** Adds a part of the last atom. */
    private void add(long cost) {
        open[depth] = saturated(open[depth] + cost);
        lastAtom = saturated(lastAtom + cost);
    }

    private static long saturated(long cost) {
        return Math.min(cost, Integer.MAX_VALUE);
    }

    private int character(int c) {
        beyondAscii |= c > LAST_ASCII;
        return 1;
    }

    private void openGroup() {
        if (peek() == '?') {
            int end = at + 1;
            while (end < regex.length() && isFlag(regex.charAt(end))) {
                end++;
            }
            char behind = end < regex.length() ? regex.charAt(end) : END;
            if (behind == ')') {
                at = end + 1; // flags for what follows, no group: {n} behind it repeats what stands before it
                return;
            }
            // A name of a group is letters, digits and underscores, and costs nothing if it is read as characters.
            at = behind == ':' ? end + 1 : at + 1;
        }
        if (++depth == open.length) {
            open = Arrays.copyOf(open, 2 * depth);
        }
        deepest = Math.max(deepest, depth);
        open[depth] = GROUP_COST;
        lastAtom = 0;
    }

    private void closeGroup() {
        if (depth > 0) {
            long cost = open[depth--];
            atom(cost);
        }
    }

    private void repeat() {
        int brace = at;
        int min = number();
        int max = min;
        if (min >= 0 && peek() == ',') {
            at++;
            max = Math.max(min, number());
        }
        if (min >= 0 && peek() == '}') {
            at++;
            add(saturated((lastAtom + EMPTY_COST) * Math.max(1, max)));
        } else {
            at = brace;
            atom(1); // a brace like any other character
        }
    }

    /** Reads a number; -1 if there are no digits. */
    private int number() {
        int from = at;
        int number = 0;
        while (peek() >= '0' && peek() <= '9') {
            number = Math.min(MOST_REPEATS, 10 * number + peek() - '0');
            at++;
        }
        return at == from ? -1 : number;
    }

    private char peek() {
        return at < regex.length() ? regex.charAt(at) : END;
    }

    // ---- escapes ----

    private void escape() {
        if (peek() == 'Q') {
            at++;
            int end = regex.indexOf("\\E", at);
            int stop = end < 0 ? regex.length() : end;
            while (at < stop) {
                atom(character(regex.charAt(at++)));
            }
            at = end < 0 ? at : end + 2;
        } else if (peek() != END && ANCHORS.indexOf(peek()) >= 0) {
            at++;
            atom(EMPTY_COST);
        } else {
            atom(escaped());
        }
    }

    /** Reads what follows a backslash, inside or outside of a class. */
    private long escaped() {
        char c = peek();
        at = Math.min(at + 1, regex.length());
        return switch (c) {
            case 'p', 'P' -> {
                skipName();
                yield UNICODE_CLASS_COST;
            }
            case 'd', 'D', 's', 'S', 'w', 'W' -> NAMED_CLASS_COST;
            default -> {
                at--;
                yield character(escapedCodePoint());
            }
        };
    }

    private void skipName() {
        if (peek() == '{') {
            int close = regex.indexOf('}', at);
            at = close < 0 ? regex.length() : close + 1;
        } else {
            at = Math.min(at + 1, regex.length());
        }
    }

    /** The code point of an escape; for an escaped character, that character. */
    private int escapedCodePoint() {
        if (at >= regex.length()) {
            return END;
        }
        char c = regex.charAt(at++);
        if (c >= '0' && c <= '9') {
            return Character.MAX_CODE_POINT; // octal: treated as the highest one
        }
        if (c != 'x') {
            return c;
        }
        int from = at;
        if (peek() == '{') {
            int close = regex.indexOf('}', at);
            at = close < 0 ? regex.length() : close + 1;
            return hex(regex.substring(from + 1, close < 0 ? regex.length() : close));
        }
        at = Math.min(at + 2, regex.length());
        return hex(regex.substring(from, at));
    }

    /** An invalid number counts as a code point above all characters. */
    private static int hex(String digits) {
        try {
            return digits.isEmpty() ? Character.MAX_CODE_POINT : Integer.parseInt(digits, HEX);
        } catch (NumberFormatException e) {
            return Character.MAX_CODE_POINT;
        }
    }

    // ---- classes ----

    private long characterClass() {
        long cost = 1;
        if (peek() == '^') {
            at++;
        }
        boolean first = true;
        while (at < regex.length() && (first || peek() != ']')) {
            first = false;
            cost = saturated(cost + part());
        }
        at = Math.min(at + 1, regex.length());
        return cost;
    }

    /** One part of a class: a named class, a character, or a range. */
    private long part() {
        if (regex.startsWith("[:", at)) {
            int close = regex.indexOf(":]", at + 2);
            if (close >= 0) {
                at = close + 2;
                return NAMED_CLASS_COST;
            }
        }
        boolean namedClass = peek() == '\\' && at + 1 < regex.length() && "pPdDsSwW".indexOf(regex.charAt(at + 1)) >= 0;
        if (namedClass) {
            at++;
            return escaped();
        }
        int low = classCharacter();
        int high = low;
        if (peek() == '-' && at + 1 < regex.length() && regex.charAt(at + 1) != ']') {
            at++;
            high = classCharacter();
        }
        character(high);
        return folds ? 1L + Math.min(LAST_ASCII, Math.max(0, high - low)) : 1;
    }

    private int classCharacter() {
        if (peek() == '\\') {
            at++;
            return escapedCodePoint();
        }
        int c = regex.codePointAt(at);
        at += Character.charCount(c);
        return c;
    }
}
