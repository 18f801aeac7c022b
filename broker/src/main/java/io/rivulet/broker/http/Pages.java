package io.rivulet.broker.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a listener by path. A path that ends in "/*" stands for all that begin with what is before the "*".
 * Immutable.
 */
public final class Pages {
    private final Map<String, Page> pages;

    public Pages(Map<String, Page> pages) {
        this.pages = Map.copyOf(pages);
    }

    /** The page of this path, or of its longest beginning. Null if there is none. */
    @Nullable
    Page find(String path) {
        Page exact = pages.get(path);
        for (int slash = path.lastIndexOf('/'); exact == null && slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
            exact = pages.get(path.substring(0, slash + 1) + '*');
        }
        return exact;
    }
}
