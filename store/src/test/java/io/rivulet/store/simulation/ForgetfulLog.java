package io.rivulet.store.simulation;

import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogLocation;

/** Does not keep batches for block files, as a log on other machines. */
public class ForgetfulLog extends ForwardingLog {
    public ForgetfulLog(CommitLog log) {
        super(log);
    }

    public static LogLocation in(LogLocation location) {
        return at(location, ForgetfulLog::new);
    }

    @Override
    public boolean keepsBatches() {
        return false;
    }
}
