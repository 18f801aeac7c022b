package io.rivulet.broker.sasl;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * OAUTHBEARER, RFC 7628. The first token of the client, where ^ is a byte 1:
 *
 * <pre>
 * n,a=who to act as; may be missing,^auth=Bearer token^name=value of an extension^^
 * </pre>
 *
 * <p>If the token is not accepted, the client gets a JSON text, answers with a byte 1, and is refused then. Owned by:
 * the event loop of the connection.
 */
final class OAuthExchange implements Exchange {
    static final int MAX_BYTES = 64 << 10;

    private static final String INVALID_TOKEN = "{\"status\":\"invalid_token\"}";
    private static final String BEARER = "bearer ";
    private static final String AUTH = "auth=";
    private static final char SEPARATOR = 1;
    private static final byte[] NOTHING = {};

    private final TokenChecks checks;
    /** Set on a thread of the checks, before the client gets the answer. */
    private volatile boolean refused;

    OAuthExchange(TokenChecks checks) {
        this.checks = checks;
    }

    @Override
    public void next(byte[] token, Consumer<Step> answered) {
        if (refused) {
            answered.accept(Step.refused(INVALID_TOKEN));
            return;
        }
        String message = token.length > MAX_BYTES ? "" : new String(token, StandardCharsets.UTF_8);
        int header = message.indexOf(SEPARATOR);
        String bearer = header < 0 ? null : bearer(message.substring(header));
        String actAs = header < 0 ? null : actAs(message.substring(0, header));
        if (bearer == null || actAs == null) {
            answered.accept(Step.refused(Login.INVALID));
        } else if (!checks.start(bearer, accepted -> answered.accept(answer(actAs, accepted)))) {
            answered.accept(Step.refused("Authentication failed: the broker checks too many tokens"));
        }
    }

    private Step answer(String actAs, TokenChecks.@Nullable Accepted accepted) {
        if (accepted == null) {
            refused = true;
            return Step.challenge(INVALID_TOKEN.getBytes(StandardCharsets.US_ASCII));
        }
        if (!actAs.isEmpty() && !actAs.equals(accepted.user())) {
            return Step.refused("Authentication failed: Client requested an authorization id that is different from"
                    + " the token's principal name");
        }
        return Step.complete(NOTHING, accepted.user(), accepted.untilMillis());
    }

    /** Null if the beginning of the message is none. */
    private static @Nullable String actAs(String header) {
        if (header.equals("n,,")) {
            return "";
        }
        return header.startsWith("n,a=") && header.endsWith(",")
                ? header.substring(4, header.length() - 1).replace("=2C", ",").replace("=3D", "=")
                : null;
    }

    /** Null if there is none, or the pairs are not complete. Extensions are ignored. */
    private static @Nullable String bearer(String pairs) {
        if (pairs.length() < 3 || !pairs.endsWith("" + SEPARATOR + SEPARATOR)) {
            return null;
        }
        String found = null;
        for (String pair : pairs.substring(1, pairs.length() - 2).split("" + SEPARATOR, -1)) {
            String value = pair.startsWith(AUTH) ? pair.substring(AUTH.length()) : "";
            if (value.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
                found = value.substring(BEARER.length()).strip();
            } else if (pair.indexOf('=') < 1) {
                return null;
            }
        }
        return found == null || found.isEmpty() ? null : found;
    }
}
