package io.rivulet.store.cache;

/** How useful a cached page is for other readers; the most useful class first. */
public enum PageClass {
    /** Directory pages, and data that readers near the end of their queue share: kept by frequency of use. */
    TAIL,
    /** Read ahead for a sequential reader. */
    READ_AHEAD,
    /** Read by a reader that catches up and will not read it again. */
    SCAN
}
