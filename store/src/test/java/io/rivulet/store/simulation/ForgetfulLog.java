package io.rivulet.store.simulation;

import io.rivulet.store.log.CommitLog;

/** Does not keep batches for block files, as a log on other machines. */
public class ForgetfulLog extends ForwardingLog {
    public ForgetfulLog(CommitLog log) {
        super(log);
    }

    @Override
    public boolean keepsBatches() {
        return false;
    }
}
