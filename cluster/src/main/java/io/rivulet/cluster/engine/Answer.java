package io.rivulet.cluster.engine;

import org.jspecify.annotations.Nullable;

/** What becomes of an append. Called by threads of the engine, or within the append; must not block. */
public interface Answer {
    /**
     * The entry is on enough machines to survive the loss of one, and so are all entries before it. Called once, in the
     * order of the entries.
     *
     * @param failure null if so; {@link FencedException} if another client has recovered the ledger. After a failure no
     *     later append succeeds; whether this entry is there is unknown
     */
    void answered(@Nullable Throwable failure);

    /** The engine does not read the bytes any more: also the slowest copy has been sent or given up. Called once. */
    void released();
}
