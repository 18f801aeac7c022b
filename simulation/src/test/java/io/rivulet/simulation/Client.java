package io.rivulet.simulation;

import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A participant with one connection, which it sometimes closes and makes again. */
abstract class Client implements Participant {
    private static final int CLOSES_ONE_IN = 200;

    final World world;
    final String name;
    SplittableRandom random = new SplittableRandom(0);
    private @Nullable SimulatedBroker broker;
    private @Nullable ClientConnection connection;

    Client(World world, String name) {
        this.world = world;
        this.name = name;
    }

    @Override
    public void begin(SimulatedBroker newBroker, SplittableRandom newRandom) {
        broker = newBroker;
        random = newRandom;
        connect();
    }

    private void connect() {
        connection = new ClientConnection(broker(), name, random.split());
        connected();
    }

    SimulatedBroker broker() {
        return Objects.requireNonNull(broker);
    }

    /** What was in flight has no answer and gets none. */
    abstract void connected();

    /** May send something. */
    abstract void act(ClientConnection to);

    @Override
    public void act() {
        ClientConnection to = Objects.requireNonNull(connection);
        if (to.isOver()) {
            connect();
        } else if (random.nextInt(CLOSES_ONE_IN) == 0) {
            to.close();
        } else {
            act(to);
        }
    }

    @Override
    public void requireAnswers() {
        Objects.requireNonNull(connection).requireAnswers();
    }

    @Override
    public void leave() {
        Objects.requireNonNull(connection).close();
    }

    @Override
    public boolean hasLeft() {
        return Objects.requireNonNull(connection).isOver();
    }

    @Override
    public boolean isQuiet() {
        return Objects.requireNonNull(connection).inFlight() == 0;
    }
}
