package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Pace;
import java.io.IOException;
import java.util.Set;

/** One comparison of brokers. Immutable. */
abstract class Case {
    static final Set<Subject> ALL = Set.of(Subject.RIVULET, Subject.RIVULET_OS, Subject.KAFKA);
    static final Set<Subject> BOTH = Set.of(Subject.RIVULET, Subject.KAFKA);

    /** The connections that a case can use. */
    enum Connections {
        PLAIN,
        PLAIN_OR_TLS,
        TLS
    }

    private final String name;
    private final String title;
    private final Set<Subject> subjects;
    private final int queues;

    /**
     * @param name selects the case on the command line
     * @param title of the rows in the table
     * @param subjects that run the case
     */
    Case(String name, String title, Set<Subject> subjects) {
        this(name, title, subjects, 0);
    }

    /** @param queues number of queues, for the plots; 0 if the case is not in the plots */
    Case(String name, String title, Set<Subject> subjects, int queues) {
        this.name = name;
        this.title = title;
        this.subjects = subjects;
        this.queues = queues;
    }

    final String name() {
        return name;
    }

    final String title() {
        return title;
    }

    /** Rivulet with BoringSSL, or in a cluster, runs what Rivulet runs. Of three brokers, all run what Kafka runs. */
    final boolean runsOn(Subject subject) {
        if (subject.brokers() > 1) {
            return runsOnThree() && subjects.contains(Subject.KAFKA);
        }
        boolean rivulet = subject == Subject.RIVULET_BORINGSSL || subject == Subject.RIVULET_CLUSTER;
        return subjects.contains(rivulet ? Subject.RIVULET : subject);
    }

    /** Whether the load goes to each of several brokers that leads partitions. */
    boolean runsOnThree() {
        return false;
    }

    /** Whether the case can run with such connections. */
    final boolean runs(boolean overTls) {
        return connections() != (overTls ? Connections.PLAIN : Connections.TLS);
    }

    Connections connections() {
        return Connections.PLAIN;
    }

    final int queues() {
        return queues;
    }

    /**
     * Runs the case once.
     *
     * @throws BrokerFailedException if the broker fails, which is a result too
     */
    abstract Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException;
}
