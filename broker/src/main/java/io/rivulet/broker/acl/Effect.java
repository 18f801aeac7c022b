package io.rivulet.broker.acl;

import org.jspecify.annotations.Nullable;

/** What a rule does, with its number in Kafka's protocol. */
public enum Effect {
    /** Only in filters. */
    ANY(1),
    DENY(2),
    ALLOW(3);

    private final byte code;

    Effect(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    /** Null if there is none with this number. */
    public static @Nullable Effect ofCode(byte code) {
        for (Effect effect : values()) {
            if (effect.code == code) {
                return effect;
            }
        }
        return null;
    }
}
