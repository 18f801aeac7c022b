package io.rivulet.bench.hostile;

import java.io.IOException;

/** One way to hurt a broker from outside. */
record Attack(String name, Burst burst) {
    /** A bounded piece of the attack; it is repeated until the run ends. */
    @FunctionalInterface
    interface Burst {
        /** An exception is what an attacker expects: the broker refused or closed the connection. */
        void run(int port) throws IOException;
    }
}
