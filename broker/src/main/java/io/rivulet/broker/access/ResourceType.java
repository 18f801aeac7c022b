package io.rivulet.broker.access;

import org.jspecify.annotations.Nullable;

/** A kind of resource, with its number in Kafka's protocol. */
public enum ResourceType {
    ANY(1),
    TOPIC(2),
    GROUP(3),
    CLUSTER(4),
    TRANSACTIONAL_ID(5),
    DELEGATION_TOKEN(6),
    USER(7);

    private final byte code;

    ResourceType(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    /** Null if there is none with this number. */
    public static @Nullable ResourceType ofCode(byte code) {
        for (ResourceType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return null;
    }
}
