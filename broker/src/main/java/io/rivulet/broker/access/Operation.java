package io.rivulet.broker.access;

import org.jspecify.annotations.Nullable;

/** What is done with a resource, with its number in Kafka's protocol. */
public enum Operation {
    ANY(1),
    ALL(2),
    READ(3),
    WRITE(4),
    CREATE(5),
    DELETE(6),
    ALTER(7),
    DESCRIBE(8),
    CLUSTER_ACTION(9),
    DESCRIBE_CONFIGS(10),
    ALTER_CONFIGS(11),
    IDEMPOTENT_WRITE(12),
    CREATE_TOKENS(13),
    DESCRIBE_TOKENS(14),
    TWO_PHASE_COMMIT(15);

    private final byte code;

    Operation(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    /** Its place in a set of operations, as the protocol has it. */
    public int bit() {
        return 1 << code;
    }

    /** Null if there is none with this number. */
    public static @Nullable Operation ofCode(byte code) {
        for (Operation operation : values()) {
            if (operation.code == code) {
                return operation;
            }
        }
        return null;
    }
}
