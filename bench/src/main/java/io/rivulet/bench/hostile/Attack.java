package io.rivulet.bench.hostile;

import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** An attack of a client on a broker. Immutable. */
record Attack(String name, Burst burst) {
    static List<Attack> all() {
        return Stream.of(GroupAttacks.all(), TopicAttacks.all(), ProduceAttacks.all(), SocketAttacks.all())
                .flatMap(List::stream)
                .toList();
    }

    /** An attack that sends one request and waits for the response. */
    static Attack of(String name, ApiKey key, int version, Supplier<Message> request) {
        return new Attack(name, port -> {
            try (Wire wire = new Wire(port)) {
                wire.call(key, (short) version, request.get());
            }
        });
    }

    /** A bounded part of the attack, repeated until the run ends. */
    @FunctionalInterface
    interface Burst {
        /** Throws when the broker refuses or closes the connection, which is normal. */
        void run(int port) throws IOException;
    }
}
