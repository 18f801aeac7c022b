package io.rivulet.broker.quota;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import org.jspecify.annotations.Nullable;

/** What a rule limits, with its code in log entries and its key in Kafka's protocol. */
public enum QuotaKind {
    PRODUCER_BYTE_RATE(0, "producer_byte_rate", 0x1p63),
    CONSUMER_BYTE_RATE(1, "consumer_byte_rate", 0x1p63),
    REQUEST_PERCENTAGE(2, "request_percentage", 0),
    CONTROLLER_MUTATION_RATE(3, "controller_mutation_rate", 0),
    CONNECTION_CREATION_RATE(4, "connection_creation_rate", Integer.MAX_VALUE);

    private static final double SMALLEST_FRACTION = 1e-6;

    private final byte code;
    private final String key;
    /** The largest whole number; 0 if fractions are allowed. */
    private final double largest;

    QuotaKind(int code, String key, double largest) {
        this.code = (byte) code;
        this.key = key;
        this.largest = largest;
    }

    public String key() {
        return key;
    }

    boolean isOfAddresses() {
        return this == CONNECTION_CREATION_RATE;
    }

    byte code() {
        return code;
    }

    /** Null if there is none with this code. */
    static @Nullable QuotaKind ofCode(byte code) {
        for (QuotaKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return null;
    }

    /**
     * The kind with the key, for an entity of this type.
     *
     * @throws RefusedException if there is none
     */
    static QuotaKind require(String key, QuotaEntity entity) {
        for (QuotaKind kind : values()) {
            if (kind.key.equals(key) && kind.isOfAddresses() == (entity.ip() != null)) {
                return kind;
            }
        }
        throw invalid("Invalid configuration key " + key);
    }

    /** @throws RefusedException if the limit is not allowed */
    void check(double limit) {
        if (Double.isNaN(limit)) {
            throw invalid("Quota " + key + " must be a number");
        }
        if (limit <= 0) {
            throw invalid("Quota " + key + " must be greater than 0");
        }
        if (largest > 0 && limit > largest) {
            throw invalid("Proposed value for " + key + " is too large.");
        }
        if (largest > 0 && limit % 1 > SMALLEST_FRACTION) {
            throw invalid(key + " cannot be a fractional value.");
        }
    }

    private static RefusedException invalid(String message) {
        return new RefusedException(ErrorCode.INVALID_REQUEST, message);
    }
}
