package io.rivulet.broker.top;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers in a few characters, such as 1.2M. Stateless. */
final class Quantity {
    static final String UNKNOWN = "-";
    private static final String UNITS = "kMGTPE";
    private static final double STEP = 1000;
    private static final double SMALL = 10;

    private Quantity() {}

    /** At most six characters. */
    static String of(@Nullable Double value) {
        if (value == null) {
            return UNKNOWN;
        }
        int unit = -1;
        double shown = value;
        while (Math.abs(shown) >= STEP - 0.5 && unit + 1 < UNITS.length()) {
            shown /= STEP;
            unit++;
        }
        boolean whole = shown >= SMALL - 0.05 || (unit < 0 && shown == Math.rint(shown));
        return String.format(Locale.ROOT, whole ? "%.0f" : "%.1f", shown) + (unit < 0 ? "" : UNITS.charAt(unit));
    }

    static String bytes(@Nullable Double value) {
        return value == null ? UNKNOWN : of(value) + "B";
    }

    static String bytesPerSecond(@Nullable Double value) {
        return value == null ? UNKNOWN : bytes(value) + "/s";
    }

    static String perSecond(@Nullable Double value) {
        return value == null ? UNKNOWN : of(value) + "/s";
    }

    static String millis(@Nullable Double value) {
        return value == null ? UNKNOWN : of(value) + " ms";
    }

    static String percent(@Nullable Double share) {
        return share == null ? UNKNOWN : String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    static String seconds(@Nullable Double value) {
        return value == null ? UNKNOWN : of(value) + " s";
    }
}
