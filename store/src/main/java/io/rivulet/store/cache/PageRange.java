package io.rivulet.store.cache;

/**
 * Which pages a read needs, {@code [first, end)}, and up to where it may read ahead, {@code [end, aheadEnd)}.
 *
 * <p>Immutable.
 */
record PageRange(long first, long end, long aheadEnd) {

    static PageRange of(PageFile file, long address, int length, int aheadBytes, int pageBytes) {
        long to = address + length;
        if (address < 0 || length < 1 || to > file.lengthBytes() || aheadBytes < 0) {
            throw new IndexOutOfBoundsException(
                    "[" + address + ", " + to + ") of a file of " + file.lengthBytes() + " bytes");
        }
        long aheadTo = Math.min(file.lengthBytes(), to + aheadBytes);
        return new PageRange(address / pageBytes, pageEnd(to, pageBytes), pageEnd(aheadTo, pageBytes));
    }

    private static long pageEnd(long address, int pageBytes) {
        return (address + pageBytes - 1) / pageBytes;
    }

    int pageCount() {
        return Math.toIntExact(end - first);
    }
}
