package io.rivulet.broker.sasl;

import org.jspecify.annotations.Nullable;

/**
 * What the broker answers to a token of a client. Immutable by agreement.
 *
 * @param token the broker's own token; may be empty
 * @param user the name of the client, when the login is complete; otherwise null
 * @param refusal why the login has failed, for the client; null if it has not
 * @param untilMillis when what the client has shown ends, on the wall clock; {@link #FOR_EVER} if it does not end
 * @param lifetimeMillis how long the login is valid; 0 for ever
 */
@SuppressWarnings("ArrayRecordComponent") // a token is made once, and only read after that
public record Step(
        byte[] token, @Nullable String user, @Nullable String refusal, long untilMillis, long lifetimeMillis) {
    static final long FOR_EVER = Long.MAX_VALUE;

    private static final byte[] NOTHING = {};

    /** The client must send another token. */
    static Step challenge(byte[] token) {
        return new Step(token, null, null, FOR_EVER, 0);
    }

    static Step complete(byte[] token, String user) {
        return new Step(token, user, null, FOR_EVER, 0);
    }

    static Step complete(byte[] token, String user, long untilMillis) {
        return new Step(token, user, null, untilMillis, 0);
    }

    static Step refused(String reason) {
        return new Step(NOTHING, null, reason, FOR_EVER, 0);
    }

    Step validFor(long millis) {
        return new Step(token, user, refusal, untilMillis, millis);
    }
}
