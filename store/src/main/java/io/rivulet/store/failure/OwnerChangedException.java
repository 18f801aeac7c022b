package io.rivulet.store.failure;

import java.io.IOException;

/** Another process has opened the log, so this one can append nothing any more. The log goes on there. */
public final class OwnerChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    public OwnerChangedException(String log) {
        super("the log " + log + " has another owner now");
    }

    /** @param unanswered why nobody says so */
    public OwnerChangedException(String log, IOException unanswered) {
        super("the log " + log + " probably has another owner now", unanswered);
    }
}
