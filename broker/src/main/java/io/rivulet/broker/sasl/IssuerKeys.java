package io.rivulet.broker.sasl;

import io.rivulet.broker.config.OAuthSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.VerificationJwkSelector;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of the issuer of tokens. They are fetched with the first token, again when they are old, and when a token
 * names a key that is not there: then at most once in ten seconds, because any client can make such tokens. If they
 * can't be fetched, the old ones are used, and the next attempt waits twice as long as the one before.
 *
 * <p>Thread-safe. Only one thread fetches; the others go on with the keys that are there.
 */
final class IssuerKeys implements VerificationKeyResolver {
    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
    private static final int MAX_BYTES = 1 << 20;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final long MISSING_KEY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int OK = 200;

    private final OAuthSettings settings;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile @Nullable Fetched fetched;
    /** Guarded by {@link #fetching}. */
    private long nextAttemptNanos = System.nanoTime();
    /** Guarded by {@link #fetching}. */
    private long backoffMillis;

    private record Fetched(List<JsonWebKey> keys, long nanos) {}

    IssuerKeys(OAuthSettings settings) {
        this.settings = settings;
        this.backoffMillis = settings.backoffMillis();
    }

    @Override
    public Key resolveKey(JsonWebSignature signature, List<JsonWebStructure> nesting) throws UnresolvableKeyException {
        Fetched now = fetched;
        if (now == null || age(now) > TimeUnit.MILLISECONDS.toNanos(settings.refreshMillis())) {
            now = fetch(now);
        }
        Key key = now == null ? null : select(signature, now);
        if (key == null && now != null && age(now) > MISSING_KEY_NANOS) {
            now = fetch(now);
            key = now == null ? null : select(signature, now);
        }
        if (key == null) {
            throw new UnresolvableKeyException("no key of the issuer fits");
        }
        return key;
    }

    private static long age(Fetched keys) {
        return System.nanoTime() - keys.nanos();
    }

    private static @Nullable Key select(JsonWebSignature signature, Fetched from) {
        try {
            JsonWebKey selected = new VerificationJwkSelector().select(signature, from.keys());
            return selected == null ? null : selected.getKey();
        } catch (JoseException e) {
            return null;
        }
    }

    /** The newest keys that can be had. Waits for another thread only if there are none. */
    private @Nullable Fetched fetch(@Nullable Fetched before) {
        if (before == null) {
            fetching.lock();
        } else if (!fetching.tryLock()) {
            return before;
        }
        try {
            Fetched now = fetched;
            boolean isNewer = now != null && (before == null || now.nanos() != before.nanos());
            return isNewer || System.nanoTime() - nextAttemptNanos < 0 ? now : fetchNow(now);
        } finally {
            fetching.unlock();
        }
    }

    private @Nullable Fetched fetchNow(@Nullable Fetched before) {
        try {
            Fetched now = new Fetched(List.copyOf(new JsonWebKeySet(read()).getJsonWebKeys()), System.nanoTime());
            fetched = now;
            backoffMillis = settings.backoffMillis();
            return now;
        } catch (IOException | JoseException | RuntimeException e) {
            nextAttemptNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backoffMillis);
            backoffMillis = Math.min(settings.maxBackoffMillis(), 2 * Math.max(1, backoffMillis));
            LOG.warn("The keys at {} can't be fetched: {}", settings.keysUrl(), e.toString());
            return before;
        }
    }

    private String read() throws IOException {
        URLConnection connection = new URL(settings.keysUrl()).openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setUseCaches(false);
        if (connection instanceof HttpURLConnection http) {
            http.setInstanceFollowRedirects(false);
            http.setRequestProperty("Connection", "close"); // otherwise the JDK keeps it, with a thread
            if (http.getResponseCode() != OK) {
                throw new IOException("the answer has the status " + http.getResponseCode());
            }
        }
        try (InputStream in = connection.getInputStream()) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("the answer is longer than " + MAX_BYTES + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
