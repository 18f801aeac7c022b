package io.rivulet.broker.access;

import java.util.EnumSet;
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

    /** The operations that exist for resources of this type. The caller owns the set. */
    public EnumSet<Operation> operations() {
        return switch (this) {
            case ANY -> EnumSet.allOf(Operation.class);
            case TOPIC ->
                EnumSet.of(
                        Operation.READ,
                        Operation.WRITE,
                        Operation.CREATE,
                        Operation.DELETE,
                        Operation.ALTER,
                        Operation.DESCRIBE,
                        Operation.DESCRIBE_CONFIGS,
                        Operation.ALTER_CONFIGS);
            case GROUP ->
                EnumSet.of(
                        Operation.READ,
                        Operation.DELETE,
                        Operation.DESCRIBE,
                        Operation.DESCRIBE_CONFIGS,
                        Operation.ALTER_CONFIGS);
            case CLUSTER ->
                EnumSet.of(
                        Operation.CREATE,
                        Operation.ALTER,
                        Operation.DESCRIBE,
                        Operation.CLUSTER_ACTION,
                        Operation.DESCRIBE_CONFIGS,
                        Operation.ALTER_CONFIGS,
                        Operation.IDEMPOTENT_WRITE);
            case TRANSACTIONAL_ID -> EnumSet.of(Operation.DESCRIBE, Operation.WRITE, Operation.TWO_PHASE_COMMIT);
            case DELEGATION_TOKEN -> EnumSet.of(Operation.DESCRIBE);
            case USER -> EnumSet.of(Operation.CREATE_TOKENS, Operation.DESCRIBE_TOKENS);
        };
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
