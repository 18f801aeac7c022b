package io.rivulet.store.cache;

/** (file number, page number) in one long: 40 bits and 24 bits. Stateless. */
final class PageKey {
    private static final int PAGE_BITS = 24;
    private static final long MAX_FILE_NUMBER = (1L << 39) - 1;

    private PageKey() {}

    static long of(long fileNumber, long pageNumber) {
        if (fileNumber < 0 || fileNumber > MAX_FILE_NUMBER || pageNumber < 0 || pageNumber >= 1 << PAGE_BITS) {
            throw new IllegalArgumentException("no key for page " + pageNumber + " of file " + fileNumber);
        }
        return fileNumber << PAGE_BITS | pageNumber;
    }

    static long fileNumber(long key) {
        return key >>> PAGE_BITS;
    }
}
