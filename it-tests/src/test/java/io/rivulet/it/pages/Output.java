package io.rivulet.it.pages;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a page says that commands print. It is equal to what they print, line by line, but for spaces at the ends of
 * lines and for colors. In a line, {@code ...} stands for any characters. A line of only {@code ...} stands for any
 * number of lines.
 */
final class Output {
    private static final String ANY = "...";

    /** Maven ends with these even if it prints nothing. */
    private static final Pattern COLOR = Pattern.compile("\u001b\\[[0-9;]*m");

    private Output() {}

    /** Whether these lines are all that was printed. */
    static boolean isAll(String expected, String printed) {
        String visible = COLOR.matcher(printed).replaceAll("");
        return matches(expected.lines().toList(), visible.lines().toList());
    }

    /** Whether these lines were printed before all others. The last line may not be complete. */
    static boolean isBeginning(String expected, String printed) {
        return isAll(expected + ANY, printed.substring(0, printed.lastIndexOf('\n') + 1));
    }

    /** Tries the shortest match of the last {@code ...} first. A match of an earlier one needs no second attempt. */
    private static boolean matches(List<String> expected, List<String> printed) {
        int next = 0;
        int retryExpected = -1;
        int retryPrinted = 0;
        int line = 0;
        while (line < printed.size()) {
            if (next < expected.size() && expected.get(next).equals(ANY)) {
                next++;
                retryExpected = next;
                retryPrinted = line;
            } else if (next < expected.size() && matches(expected.get(next), printed.get(line))) {
                next++;
                line++;
            } else if (retryExpected >= 0) {
                next = retryExpected;
                retryPrinted++;
                line = retryPrinted;
            } else {
                return false;
            }
        }
        return expected.subList(next, expected.size()).stream().allMatch(ANY::equals);
    }

    private static boolean matches(String expected, String printed) {
        String regex = Arrays.stream(expected.stripTrailing().split(Pattern.quote(ANY), -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*"));
        return printed.stripTrailing().matches(regex);
    }
}
