package io.rivulet.broker.topic;

import io.rivulet.protocol.wire.Uuid;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topics with the state of a coordinator as records. Only the broker creates and writes them. A topic with such a
 * name and another id was created by a client of an older version; it is a topic like any other.
 */
public enum InternalTopic {
    OFFSETS("__consumer_offsets", 1),
    TRANSACTIONS("__transaction_state", 2);

    /** "internal", in ASCII. */
    private static final long ID_HIGH = 0x696e7465726e616cL;

    private static final Map<String, String> CONFIGS =
            Map.of("cleanup.policy", "compact", "compression.type", "producer", "segment.bytes", "104857600");

    private final String topicName;
    private final int number;

    InternalTopic(String topicName, int number) {
        this.topicName = topicName;
        this.number = number;
    }

    /** Null if no internal topic has the name. */
    public static @Nullable InternalTopic named(String name) {
        if (!name.startsWith("__")) {
            return null;
        }
        for (InternalTopic topic : values()) {
            if (topic.topicName.equals(name)) {
                return topic;
            }
        }
        return null;
    }

    /** The internal topic that this topic is; null if it is none. */
    public static @Nullable InternalTopic of(Topic topic) {
        if (!topic.hasIdHigh(ID_HIGH)) { // no random id has these bits
            return null;
        }
        for (InternalTopic internal : values()) {
            if (topic.id().equals(internal.id())) {
                return internal;
            }
        }
        return null;
    }

    public String topicName() {
        return topicName;
    }

    public Uuid id() {
        return new Uuid(ID_HIGH, number);
    }

    NewTopic creation(int partitions) {
        return new NewTopic(topicName, partitions, CONFIGS);
    }
}
