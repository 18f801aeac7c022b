package io.rivulet.broker.acl;

import io.rivulet.broker.access.Operation;
import java.util.Objects;

/**
 * The operations of all rules that have the same principal, resource name and host, as bits. An operation has the bit
 * of its number in each of four fields.
 *
 * <pre>
 * | literal allow 16 | literal deny 16 | prefixed allow 16 | prefixed deny 16 |    from the lowest bit
 * </pre>
 *
 * <p>Stateless.
 */
final class OperationBits {
    private static final int FIELD_BITS = 16;
    private static final int FIELD = (1 << FIELD_BITS) - 1;

    static final long OF_LITERAL = (1L << (2 * FIELD_BITS)) - 1;
    static final long OF_PREFIXED = ~OF_LITERAL;

    /** Every operation, in one field. */
    static final int EVERY = FIELD;

    private static final int IMPLY_DESCRIBE =
            Operation.READ.bit() | Operation.WRITE.bit() | Operation.DELETE.bit() | Operation.ALTER.bit();

    private OperationBits() {}

    /** The one bit of a rule. */
    static long of(PatternType pattern, Effect effect, Operation operation) {
        int field = (pattern == PatternType.PREFIXED ? 2 : 0) + (effect == Effect.DENY ? 1 : 0);
        return (long) operation.bit() << (field * FIELD_BITS);
    }

    // ---- the rule of a bit ----

    static PatternType pattern(int bit) {
        return bit / FIELD_BITS >= 2 ? PatternType.PREFIXED : PatternType.LITERAL;
    }

    static Effect effect(int bit) {
        return (bit / FIELD_BITS) % 2 == 1 ? Effect.DENY : Effect.ALLOW;
    }

    static Operation operation(int bit) {
        return Objects.requireNonNull(Operation.ofCode((byte) (bit % FIELD_BITS)));
    }

    // ---- decisions ----

    /** The allowed operations in both kinds of patterns. */
    static int allowed(long bits) {
        return (int) (bits | (bits >>> (2 * FIELD_BITS))) & FIELD;
    }

    /** The denied operations in both kinds of patterns. */
    static int denied(long bits) {
        return (int) ((bits >>> FIELD_BITS) | (bits >>> (3 * FIELD_BITS))) & FIELD;
    }

    /**
     * The operations that these rules allow together. A rule that denies one wins. A rule that allows something implies
     * that it may be described.
     */
    static int decide(long bits) {
        int allowed = allowed(bits);
        if ((allowed & Operation.ALL.bit()) != 0) {
            allowed = EVERY;
        }
        if ((allowed & IMPLY_DESCRIBE) != 0) {
            allowed |= Operation.DESCRIBE.bit();
        }
        if ((allowed & Operation.ALTER_CONFIGS.bit()) != 0) {
            allowed |= Operation.DESCRIBE_CONFIGS.bit();
        }
        int denied = denied(bits);
        return (denied & Operation.ALL.bit()) != 0 ? 0 : allowed & ~denied;
    }
}
