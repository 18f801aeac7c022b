package io.rivulet.store.simulation;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.thread.Workers;
import java.io.IOException;

/** Does not keep batches for block files, as a log on other machines. */
public class ForgetfulLog extends ForwardingLog {
    public ForgetfulLog(CommitLog log) {
        super(log);
    }

    public static LogLocation in(LogLocation location) {
        return new LogLocation() {
            @Override
            public boolean exists() throws IOException {
                return location.exists();
            }

            @Override
            public CommitLog open(LogConfig config, Runnable wakeUp, Workers workers, FailureLatch failures)
                    throws IOException {
                return new ForgetfulLog(location.open(config, wakeUp, workers, failures));
            }

            @Override
            public void close() throws IOException {
                location.close();
            }
        };
    }

    @Override
    public boolean keepsBatches() {
        return false;
    }
}
