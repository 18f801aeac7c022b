package io.rivulet.cluster.ledger;

import java.io.IOException;

/** Another client has opened the log: this one can decide nothing about it any more. */
final class OwnerChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    OwnerChangedException(String log) {
        super("the log " + log + " has another owner now");
    }
}
