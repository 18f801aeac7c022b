package io.rivulet.broker.config;

import java.time.DateTimeException;
import java.time.Duration;

/**
 * Where a share group begins in a queue that it has no state of. Immutable.
 *
 * @param durationMillis how old the first record may be, with BY_DURATION; otherwise 0
 */
public record ShareOffsetReset(Kind kind, long durationMillis) {
    /** The ways to find the first offset. */
    public enum Kind {
        EARLIEST,
        LATEST,
        BY_DURATION
    }

    public static final ShareOffsetReset LATEST = new ShareOffsetReset(Kind.LATEST, 0);
    public static final ShareOffsetReset EARLIEST = new ShareOffsetReset(Kind.EARLIEST, 0);

    private static final String BY_DURATION = "by_duration:";

    static final ConfigType TYPE = ConfigType.text(
            "latest, earliest, or by_duration: and an ISO-8601 duration that is not negative",
            ShareOffsetReset::isAllowed);

    /** @param value an allowed one */
    static ShareOffsetReset parse(String value) {
        return switch (value) {
            case "latest" -> LATEST;
            case "earliest" -> EARLIEST;
            default -> new ShareOffsetReset(Kind.BY_DURATION, duration(value).toMillis());
        };
    }

    private static boolean isAllowed(String value) {
        try {
            return value.equals("latest")
                    || value.equals("earliest")
                    || !duration(value).isNegative();
        } catch (DateTimeException | ArithmeticException e) {
            return false;
        }
    }

    private static Duration duration(String value) {
        if (!value.startsWith(BY_DURATION)) {
            throw new DateTimeException("no duration: " + value);
        }
        Duration duration = Duration.parse(value.substring(BY_DURATION.length()));
        return duration.isNegative() ? duration : Duration.ofMillis(duration.toMillis());
    }
}
