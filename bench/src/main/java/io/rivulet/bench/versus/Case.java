package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.Subject;
import java.io.IOException;
import java.util.Set;

/** One thing that brokers are compared in. Immutable. */
abstract class Case {
    static final Set<Subject> ALL = Set.of(Subject.values());
    static final Set<Subject> BOTH = Set.of(Subject.RIVULET, Subject.KAFKA);

    private final String name;
    private final String title;
    private final Set<Subject> subjects;
    private final int queues;

    /**
     * @param name selects the case on the command line
     * @param title stands in the table
     * @param subjects take part
     */
    Case(String name, String title, Set<Subject> subjects) {
        this(name, title, subjects, 0);
    }

    /** @param queues how many the case uses, for the plots; 0 keeps it out of them */
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

    final Set<Subject> subjects() {
        return subjects;
    }

    final int queues() {
        return queues;
    }

    /**
     * Runs the case once.
     *
     * @throws BrokerFailedException when the broker is not up to it: that is a result
     */
    abstract Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException;
}
