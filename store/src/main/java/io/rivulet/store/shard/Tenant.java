package io.rivulet.store.shard;

import java.io.IOException;

/** The process, as the {@link ShardService} sees it. */
public interface Tenant {
    /**
     * Opens the store, without clients. May take long. Called by a thread of its own; never while an earlier opening or
     * closing runs.
     */
    Tenure open(Claim claim) throws IOException;

    /** Something of the overview is new. Must not block, and not call the service. */
    void changed(Overview now);
}
