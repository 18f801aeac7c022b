package io.rivulet.broker.console;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.access.AccessControl;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.http.HttpAnswer;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.json.PlainText;
import io.rivulet.broker.sasl.Passwords;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.LogLimit;
import io.rivulet.store.failure.OnDemandThreads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for a name and a password, as HTTP's Basic has them, and lets requests in with the rights of that user.
 *
 * <p>A password is checked on a thread of its own, one after another, because that takes milliseconds. One that was
 * right is known by a digest from then on, as long as the user has it. After a wrong one, the others wait a little.
 *
 * <p>Owned by: the thread of the pages, except {@link #stop}.
 */
final class Entrance {
    private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);
    private static final String BASIC = "Basic ";
    private static final int MOST_KNOWN = 256;
    private static final int MOST_WAITING = 64;
    private static final long MOST_WAITING_OF_HOST = 8;
    private static final long KEEP_SECONDS = 60;
    private static final int SALT_BYTES = 32;
    private static final int LINES_IN_WINDOW = 20;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A user whose password was right. */
    private record Known(String user, BooleanSupplier isCurrent) {}

    /** A request whose password is not known yet. */
    private record Attempt(HttpExchange exchange, ByteBuffer digest, String user, String password, Runnable admitted) {}

    private final Passwords passwords;
    private final AccessControl accessControl;
    private final long failureDelayMillis;
    private final ThreadPoolExecutor checker;
    private final LogLimit lines = new LogLimit(LINES_IN_WINDOW, WINDOW_NANOS, System::nanoTime);
    private final byte[] salt = new byte[SALT_BYTES];
    private final Map<ByteBuffer, Known> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Known> eldest) {
            return size() > MOST_KNOWN;
        }
    };
    private final Deque<Attempt> waiting = new ArrayDeque<>();
    private boolean busy;

    Entrance(Passwords passwords, AccessControl accessControl, long failureDelayMillis, FailureLatch failures) {
        this.passwords = passwords;
        this.accessControl = accessControl;
        this.failureDelayMillis = failureDelayMillis;
        this.checker = OnDemandThreads.of(1, KEEP_SECONDS, work -> failures.thread("console-login", work));
        new SecureRandom().nextBytes(salt);
    }

    /** No more passwords are checked. */
    void stop() {
        checker.shutdownNow();
    }

    /**
     * Lets the request in, now or later, or answers it.
     *
     * @param admitted answers the request; what it throws is the answer
     */
    void enter(HttpExchange exchange, Runnable admitted) {
        String header = exchange.header(HttpHeaderNames.AUTHORIZATION);
        if (header == null) {
            ask(exchange, "a name and a password, please");
            return;
        }
        Attempt attempt = attempt(exchange, header, admitted);
        if (attempt == null) {
            ask(exchange, "the name and the password can't be read");
        } else if (!letIn(attempt)) {
            await(attempt);
        }
    }

    private static void ask(HttpExchange exchange, String why) {
        Map<String, String> headers = Map.of("WWW-Authenticate", "Basic realm=\"Rivulet\", charset=\"UTF-8\"");
        HttpAnswer answer = HttpAnswer.text(HttpResponseStatus.UNAUTHORIZED, why);
        exchange.answer(new HttpAnswer(answer.status(), answer.contentType(), headers, answer.body()));
    }

    /** Null if the header has no name and password. */
    private @Nullable Attempt attempt(HttpExchange exchange, String header, Runnable admitted) {
        if (!header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return null;
        }
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
            String both = new String(decoded, StandardCharsets.UTF_8);
            int colon = both.indexOf(':');
            return colon < 0 || both.chars().anyMatch(Character::isISOControl) // as RFC 7617 says
                    ? null
                    : new Attempt(
                            exchange, digest(decoded), both.substring(0, colon), both.substring(colon + 1), admitted);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private ByteBuffer digest(byte[] decoded) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            return ByteBuffer.wrap(digest.digest(decoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM lacks SHA-256", e);
        }
    }

    /** False if the password is not known. */
    private boolean letIn(Attempt attempt) {
        Known user = known.get(attempt.digest);
        if (user == null || !user.isCurrent.getAsBoolean()) {
            known.remove(attempt.digest);
            return false;
        }
        HttpExchange exchange = attempt.exchange;
        exchange.enter(accessControl.of(Principal.user(user.user), exchange.clientHost()));
        exchange.run(attempt.admitted);
        return true;
    }

    // ---- passwords that are not known ----

    private void await(Attempt attempt) {
        String host = attempt.exchange.clientHost();
        long ofHost = waiting.stream()
                .filter(other -> other.exchange.clientHost().equals(host))
                .count();
        if (waiting.size() >= MOST_WAITING || ofHost >= MOST_WAITING_OF_HOST) {
            attempt.exchange.answer(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many passwords are being checked");
            return;
        }
        waiting.add(attempt);
        next();
    }

    private void next() {
        while (!busy && !waiting.isEmpty()) {
            Attempt first = waiting.remove();
            if (first.exchange.isOpen() && !letIn(first)) {
                busy = true;
                check(first);
            }
        }
    }

    private void check(Attempt attempt) {
        try {
            checker.execute(() -> {
                BooleanSupplier isCurrent = passwords.check(attempt.user, attempt.password);
                attempt.exchange.soon(() -> checked(attempt, isCurrent));
            });
        } catch (RejectedExecutionException e) {
            attempt.exchange.answer(HttpResponseStatus.SERVICE_UNAVAILABLE, "the broker is stopping");
        }
    }

    private void checked(Attempt attempt, @Nullable BooleanSupplier isCurrent) {
        if (isCurrent == null) {
            log(attempt);
            attempt.exchange.later(failureDelayMillis, () -> {
                busy = false;
                ask(attempt.exchange, "the name or the password is wrong");
                next();
            });
            return;
        }
        known.put(attempt.digest, new Known(attempt.user, isCurrent));
        letIn(attempt);
        busy = false;
        next();
    }

    private void log(Attempt attempt) {
        int before = lines.next();
        if (before != LogLimit.OMIT) {
            LOG.info(
                    "Console: wrong name or password of '{}' from {}{}",
                    PlainText.of(attempt.user),
                    attempt.exchange.clientHost(),
                    before == 0 ? "" : " (before that " + before + " more)");
        }
    }
}
