package io.rivulet.protocol.generator.schema;

/** A range of versions, including both ends; empty if {@code high < low}. Immutable. */
public record Versions(int low, int high) {
    public static final Versions NONE = new Versions(0, -1);
    public static final Versions ALL = new Versions(0, Short.MAX_VALUE);

    /** Parses the form of schemas: {@code none}, {@code 3}, {@code 3-13} or {@code 9+}. */
    public static Versions parse(String text) {
        if (text.equals("none")) {
            return NONE;
        }
        if (text.endsWith("+")) {
            return new Versions(Integer.parseInt(text.substring(0, text.length() - 1)), Short.MAX_VALUE);
        }
        int dash = text.indexOf('-');
        return dash < 0
                ? new Versions(Integer.parseInt(text), Integer.parseInt(text))
                : new Versions(Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
    }

    public boolean isEmpty() {
        return high < low;
    }

    public boolean contains(int version) {
        return low <= version && version <= high;
    }

    public Versions intersect(Versions other) {
        Versions both = new Versions(Math.max(low, other.low), Math.min(high, other.high));
        return both.isEmpty() ? NONE : both;
    }

    @Override
    public String toString() {
        if (isEmpty()) {
            return "none";
        }
        return low == high ? String.valueOf(low) : low + "-" + high;
    }
}
