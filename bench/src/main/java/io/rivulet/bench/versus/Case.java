package io.rivulet.bench.versus;

import java.io.IOException;
import java.util.Set;

/** One thing that brokers are compared in. */
interface Case {
    /** What selects it on the command line. */
    String name();

    /** What stands in the table. */
    String title();

    /** Who takes part. */
    Set<Subject> subjects();

    /** The queues that it uses, for the plots; 0 when that is not what it is about. */
    default int queues() {
        return 0;
    }

    /**
     * Runs it once.
     *
     * @throws BrokerFailedException when the broker is not up to it: that is a result
     */
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException;
}
