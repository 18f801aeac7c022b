package io.rivulet.store.shard;

import java.io.IOException;

/** An open store. Clients reach it between {@link #serve} and {@link #close}. */
public interface Tenure {
    /**
     * Lets clients in. Called once, after the last moment at which an earlier owner may have answered from state.
     *
     * @param steps what was done before
     */
    void serve(Takeover steps);

    /** Whether it takes no appends any more, for whatever reason. */
    boolean hasFailed();

    /**
     * Returns when nothing of it runs any more. What it had acknowledged is durable. Called once, by a thread of its
     * own; another process may own the shard by then.
     */
    void close() throws IOException;
}
