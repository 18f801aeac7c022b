package io.rivulet.broker.sasl;

import io.rivulet.broker.access.Principal;
import io.rivulet.broker.config.SaslMechanism;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The login of one connection, as in Kafka:
 *
 * <pre>
 * NEW       -- ApiVersions      --> VERSIONED  or NEW, if the client asked for an unknown version
 * NEW, VERSIONED -- SaslHandshake    --> TOKENS     the client has chosen a mechanism
 * TOKENS    -- SaslAuthenticate --> TOKENS, LOGGED_IN, FAILED
 * LOGGED_IN -- SaslHandshake    --> TOKENS     once more, if the login does not last for ever
 * </pre>
 *
 * <p>In FAILED the connection is closed when the client has its answer. Owned by: the event loop of the connection.
 */
public final class Login {
    /** A refusal without a reason, so that it does not tell which users exist. */
    static final String INVALID = "";

    /** How often a connection may log in again. */
    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Requests before a login, other than those with tokens, are short. */
    private static final int SHORT_BYTES = 64 << 10;

    private enum State {
        NEW,
        VERSIONED,
        TOKENS,
        LOGGED_IN,
        FAILED
    }

    /** The answer to a choice of a mechanism. */
    public enum Choice {
        ACCEPTED,
        /** There is no such mechanism. The connection is closed. */
        UNSUPPORTED,
        /** The client has logged in. */
        OUT_OF_PLACE
    }

    private final SaslListener listener;
    private final LongSupplier clockNanos;
    private final LongSupplier clockMillis;
    private State state = State.NEW;
    private boolean raw;
    private @Nullable Exchange exchange;
    private @Nullable SaslMechanism mechanism;
    /** Of the login that is in force. Any thread reads it. */
    private volatile @Nullable Principal principal;

    private @Nullable SaslMechanism mechanismBefore;
    private boolean expires;
    private long expiryNanos;
    private boolean beganAgain;
    private long beganAgainNanos;

    Login(SaslListener listener, LongSupplier clockNanos, LongSupplier clockMillis) {
        this.listener = listener;
        this.clockNanos = clockNanos;
        this.clockMillis = clockMillis;
    }

    // ---- for connections ----

    /** Who the client is. Any thread. */
    public Principal principal() {
        Principal known = principal;
        return known == null ? Principal.ANONYMOUS : known;
    }

    /** Whether the client has logged in. It may be about to do so again. */
    public boolean isLoggedIn() {
        return principal != null && state != State.FAILED;
    }

    /** Whether requests are those of a login, not longer than {@link #maxRequestBytes}. */
    public boolean isUnderWay() {
        return state != State.LOGGED_IN;
    }

    public int maxRequestBytes() {
        return listener.settings().maxReceiveBytes();
    }

    /** Whether frames are tokens of the mechanism, without a header: after SaslHandshake of version 0. */
    public boolean expectsRawToken() {
        return raw && state == State.TOKENS;
    }

    public long failureDelayMillis() {
        return listener.settings().failureDelayMillis();
    }

    /** Why the request must not be read; null if it may. */
    public @Nullable String refusal(short apiKey, int requestBytes) {
        boolean isOfLogin = apiKey == ApiKey.SASL_HANDSHAKE.id() || apiKey == ApiKey.SASL_AUTHENTICATE.id();
        boolean isVersions = apiKey == ApiKey.API_VERSIONS.id();
        if (state == State.LOGGED_IN) {
            return isOfLogin || !hasExpired() ? null : "its login has expired";
        }
        if (requestBytes > SHORT_BYTES && apiKey != ApiKey.SASL_AUTHENTICATE.id()) {
            return "a long request before the login";
        }
        boolean fits = switch (state) {
            case NEW -> isVersions || apiKey == ApiKey.SASL_HANDSHAKE.id();
            case VERSIONED -> apiKey == ApiKey.SASL_HANDSHAKE.id();
            // Answered with an error.
            case TOKENS -> isVersions || isOfLogin;
            default -> false;
        };
        return fits ? null : "a request of API " + apiKey + " before the login";
    }

    private boolean hasExpired() {
        return expires && clockNanos.getAsLong() - expiryNanos > 0;
    }

    /** The client knows the versions that the broker serves. */
    public void versionsAnswered() {
        if (state == State.NEW) {
            state = State.VERSIONED;
        }
    }

    // ---- for handlers ----

    /** The mechanisms that the client may choose from. */
    public List<String> mechanisms() {
        return listener.mechanismNames();
    }

    /** Whether the next request must have a token. */
    public boolean awaitsToken() {
        return state == State.TOKENS;
    }

    /** The login has failed; the next requests are not read. */
    public void fail() {
        state = State.FAILED;
        exchange = null;
    }

    /** @param rawTokens whether tokens come without headers */
    public Choice choose(String name, boolean rawTokens) {
        boolean again = state == State.LOGGED_IN;
        if (state == State.TOKENS || (again && (rawTokens || !mayBeginAgain()))) {
            return Choice.OUT_OF_PLACE;
        }
        SaslMechanism chosen = listener.find(name);
        if (chosen == null) {
            fail();
            return Choice.UNSUPPORTED;
        }
        if (again) {
            beganAgain = true;
            beganAgainNanos = clockNanos.getAsLong();
            mechanismBefore = mechanism;
        }
        mechanism = chosen;
        raw = rawTokens;
        exchange = listener.exchange(chosen);
        state = State.TOKENS;
        return Choice.ACCEPTED;
    }

    private boolean mayBeginAgain() {
        return expires && !(beganAgain && clockNanos.getAsLong() - beganAgainNanos < LEAST_NANOS);
    }

    /**
     * Called when the client {@link #awaitsToken may send} a token.
     *
     * @param answered gets the answer once, on any thread; it must be passed to {@link #take}
     */
    public void token(byte[] token, Consumer<Step> answered) {
        SaslMechanism before = mechanismBefore;
        Exchange current = exchange;
        if (current == null || mechanism == null || (before != null && before != mechanism)) {
            answered.accept(Step.refused("SASL mechanism '" + text(mechanism)
                    + "' requested by client is not supported for re-authentication of mechanism '" + text(before)
                    + "'"));
        } else {
            current.next(token, answered);
        }
    }

    private static String text(@Nullable SaslMechanism mechanism) {
        return mechanism == null ? "" : mechanism.text();
    }

    /** Takes the answer into account. Called on the event loop. Returns what the client gets. */
    public Step take(Step step) {
        String user = step.user();
        if (step.refusal() != null) {
            return refused(step.refusal());
        }
        if (user == null || state != State.TOKENS || mechanism == null) {
            return step;
        }
        Principal now = Principal.user(user);
        Principal before = principal;
        if (before != null && !before.equals(now)) {
            return refused("Cannot change principals during re-authentication from " + before.type() + "."
                    + before.name() + ": " + now.type() + "." + now.name());
        }
        principal = now;
        exchange = null;
        state = State.LOGGED_IN;
        return step.validFor(startValidity(mechanism, step.untilMillis()));
    }

    private Step refused(String reason) {
        boolean again = principal != null;
        fail();
        return Step.refused(
                reason.equals(INVALID)
                        ? "Authentication failed during " + (again ? "re-authentication" : "authentication")
                                + " due to invalid credentials with SASL mechanism " + text(mechanism)
                        : reason);
    }

    private long startValidity(SaslMechanism of, long untilMillis) {
        long most = listener.maxReauthMillis(of);
        long own = untilMillis == Step.FOR_EVER ? Long.MAX_VALUE : untilMillis - clockMillis.getAsLong();
        long millis = Math.max(0, Math.min(own, most > 0 ? most : Long.MAX_VALUE));
        expires = millis != Long.MAX_VALUE;
        expiryNanos = expires ? clockNanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis) : 0;
        return expires ? millis : 0;
    }
}
