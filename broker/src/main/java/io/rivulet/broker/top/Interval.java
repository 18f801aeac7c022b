package io.rivulet.broker.top;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A time with a unit: 500ms, 2s or 1m. Stateless. */
final class Interval {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(ms|s|m|)");

    private Interval() {}

    /** A number without a unit is seconds. Null if the text is no time. */
    static @Nullable Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
        };
    }
}
