package io.rivulet.broker.dynamic;

/**
 * Something that has configs, as Kafka's APIs name it. It has an order, because clients may name any number of them
 * that have one hash. Immutable.
 *
 * @param name of the topic or group, or the broker's id; empty for the default of all brokers
 */
public record Resource(byte type, String name) implements Comparable<Resource> {
    public static final byte TOPIC = 2;
    public static final byte BROKER = 4;
    public static final byte BROKER_LOGGER = 8;
    public static final byte CLIENT_METRICS = 16;
    public static final byte GROUP = 32;

    /** The resource whose configs hold for every broker. */
    public static final Resource ALL_BROKERS = new Resource(BROKER, "");

    public static Resource broker(int nodeId) {
        return new Resource(BROKER, String.valueOf(nodeId));
    }

    @Override
    public int compareTo(Resource other) {
        int types = Byte.compare(type, other.type);
        return types != 0 ? types : name.compareTo(other.name);
    }
}
