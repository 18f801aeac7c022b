package io.rivulet.store.cache;

/** What a cached page is worth to others than the reader who asks for it, the most first. */
public enum PageClass {
    /** Directory pages, and data that readers near the end of their queue share: kept by frequency of use. */
    TAIL,
    /** Loaded for a sequential reader that has not come to it yet. */
    READ_AHEAD,
    /** Read by somebody who catches up and will not come back. */
    SCAN
}
