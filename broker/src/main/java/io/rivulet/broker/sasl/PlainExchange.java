package io.rivulet.broker.sasl;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * PLAIN, RFC 4616. One token, in UTF-8:
 *
 * <pre>
 * | who to act as; may be empty | 0 | name | 0 | password |
 * </pre>
 *
 * <p>Owned by: the event loop of the connection.
 */
record PlainExchange(PlainUsers users) implements Exchange {
    /** Kafka has no such limit; the RFC asks for 255 bytes of each part. */
    private static final int MAX_BYTES = 64 << 10;

    private static final byte[] NOTHING = {};

    @Override
    public void next(byte[] token, Consumer<Step> answered) {
        answered.accept(answer(token));
    }

    private Step answer(byte[] token) {
        String text = token.length > MAX_BYTES ? "" : new String(token, StandardCharsets.UTF_8);
        int first = text.indexOf('\0');
        int second = first < 0 ? -1 : text.indexOf('\0', first + 1);
        if (second < 0 || text.indexOf('\0', second + 1) >= 0) {
            return Step.refused(Login.INVALID);
        }
        String actAs = text.substring(0, first);
        String user = text.substring(first + 1, second);
        String password = text.substring(second + 1);
        if (user.isEmpty() || password.isEmpty()) {
            return Step.refused(Login.INVALID);
        }
        if (!users.matches(user, password)) {
            return Step.refused("Authentication failed: Invalid username or password");
        }
        if (!actAs.isEmpty() && !actAs.equals(user)) {
            return Step.refused(
                    "Authentication failed: Client requested an authorization id that is different from username");
        }
        return Step.complete(NOTHING, user);
    }
}
