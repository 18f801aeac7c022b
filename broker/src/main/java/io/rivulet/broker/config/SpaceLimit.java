package io.rivulet.broker.config;

/** Space on a disk: bytes, or a part of its size. Immutable. */
public record SpaceLimit(String text) {
    private static final double PERCENT = 100;

    public SpaceLimit {
        if (!isAllowed(text)) {
            throw new NumberFormatException(text);
        }
    }

    /** @throws NumberFormatException if the text is no number */
    static boolean isAllowed(String text) {
        double number = Double.parseDouble(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
        return text.endsWith("%") ? number >= 0 && number < PERCENT : Long.parseLong(text) >= 0;
    }

    /** @param totalBytes the size of the disk */
    public long bytes(long totalBytes) {
        return text.endsWith("%")
                ? (long) (totalBytes / PERCENT * Double.parseDouble(text.substring(0, text.length() - 1)))
                : Long.parseLong(text);
    }

    public boolean isNone() {
        return bytes(Long.MAX_VALUE) == 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
