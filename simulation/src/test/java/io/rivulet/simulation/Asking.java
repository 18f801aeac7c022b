package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.ANSWERS_COME;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A client that waits for each answer, while the broker goes on. */
final class Asking {
    /** The power was cut while it waited. */
    static final class PowerIsOff extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PowerIsOff() {
            super("the power is off", null, false, false);
        }
    }

    private final SimulatedBroker broker;
    private final ClientConnection connection;

    Asking(SimulatedBroker broker, SplittableRandom random) {
        this.broker = broker;
        this.connection = new ClientConnection(broker, "asking", random);
    }

    <T extends Message> T ask(ApiKey key, int version, Message request, Class<T> type) {
        boolean[] answered = new boolean[1];
        @Nullable Object[] answer = new Object[1];
        connection.ask(key, version, request, type, message -> {
            answered[0] = true;
            answer[0] = message;
        });
        while (!answered[0]) {
            if (broker.power.isOff()) {
                throw new PowerIsOff();
            }
            connection.requireAnswers();
            broker.step(Long.MAX_VALUE);
        }
        Object got = answer[0];
        if (got == null) {
            throw ANSWERS_COME.broken("the broker has closed the connection of " + key, null);
        }
        return type.cast(got);
    }

    void leave() {
        connection.close();
    }

    boolean hasLeft() {
        return connection.isOver();
    }

    /** Lets time pass. */
    void pause() {
        broker.step(Long.MAX_VALUE);
        if (broker.power.isOff()) {
            throw new PowerIsOff();
        }
    }
}
