package io.rivulet.store.block.format;

import java.util.Locale;

/**
 * A file of a store. Numbers grow and are never reused, so a cached page of a deleted file is never taken for a page of
 * a later file.
 *
 * <p>Immutable.
 */
public record BlockFileId(long storeId, long fileNumber) {
    private static final String SUFFIX = ".blocks";
    private static final String UNFINISHED = ".unfinished";
    private static final int DIGITS = 12;

    public BlockFileId {
        if (fileNumber < 1) {
            throw new IllegalArgumentException("a file's number is " + fileNumber + ", must be at least 1");
        }
    }

    /** The file's name once it is complete. */
    public String name() {
        return String.format(Locale.ROOT, "%0" + DIGITS + "d%s", fileNumber, SUFFIX);
    }

    /** The file's name until it is complete. */
    public String unfinishedName() {
        return name() + UNFINISHED;
    }

    /** Whether a complete block file may have this name. */
    public static boolean isName(String name) {
        return name.length() == DIGITS + SUFFIX.length()
                && name.endsWith(SUFFIX)
                && name.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9');
    }

    /** Whether only an unfinished file may have this name. */
    public static boolean isUnfinishedName(String name) {
        return name.endsWith(UNFINISHED) && isName(name.substring(0, name.length() - UNFINISHED.length()));
    }

    /** The number in a name for which {@link #isName} is true. */
    public static long fileNumber(String name) {
        return Long.parseLong(name.substring(0, DIGITS));
    }
}
