package io.rivulet.cluster.engine;

import java.io.IOException;

/** Another client has recovered the ledger: its writer can append nothing any more. */
public final class FencedException extends IOException {
    private static final long serialVersionUID = 1L;

    public FencedException(long ledgerId) {
        super("ledger " + ledgerId + " is fenced");
    }
}
