package io.rivulet.bench.hostile;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** One way to hurt a broker from outside. */
record Attack(String name, Burst burst) {
    static List<Attack> all() {
        return Stream.of(GroupAttacks.all(), TopicAttacks.all(), ProduceAttacks.all(), SocketAttacks.all())
                .flatMap(List::stream)
                .toList();
    }

    /** A bounded piece of the attack; it is repeated until the run ends. */
    @FunctionalInterface
    interface Burst {
        /** An exception is what an attacker expects: the broker refused or closed the connection. */
        void run(int port) throws IOException;
    }
}
