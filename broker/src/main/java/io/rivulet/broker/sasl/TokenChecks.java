package io.rivulet.broker.sasl;

import io.rivulet.broker.config.OAuthSettings;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OnDemandThreads;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks tokens of OAUTHBEARER: JSON Web Tokens, with the signature of a known key, that are valid now. This and {@link
 * IssuerKeys} alone use jose4j, so its classes are loaded only where the mechanism is enabled.
 *
 * <p>The work is done by threads of its own, which end when there is none: a signature takes up to a millisecond, and
 * the keys may have to be fetched. Tokens that wait are bounded. Thread-safe.
 */
final class TokenChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TokenChecks.class);
    private static final int THREADS = 2;
    private static final long KEEP_SECONDS = 60;
    private static final long MAX_WAITING_BYTES = 4 << 20;

    private final OAuthSettings settings;
    private final JwtConsumer consumer;
    private final ThreadPoolExecutor workers;
    private final AtomicLong waitingBytes = new AtomicLong();

    /** What a token says. Immutable. */
    record Accepted(String user, long untilMillis) {}

    TokenChecks(OAuthSettings settings, FailureLatch failures) {
        this.settings = settings;
        JwtConsumerBuilder builder = new JwtConsumerBuilder()
                .setJwsAlgorithmConstraints(AlgorithmConstraints.DISALLOW_NONE)
                .setRequireExpirationTime()
                .setRequireIssuedAt()
                .setAllowedClockSkewInSeconds(settings.skewSeconds())
                .setVerificationKeyResolver(new IssuerKeys(settings));
        if (!settings.audiences().isEmpty()) {
            builder.setExpectedAudience(settings.audiences().toArray(String[]::new));
        }
        if (!settings.issuer().isEmpty()) {
            builder.setExpectedIssuer(settings.issuer());
        }
        this.consumer = builder.build();
        this.workers = OnDemandThreads.numbered("tokens", THREADS, KEEP_SECONDS, failures);
    }

    /**
     * False if too many tokens wait.
     *
     * @param checked gets what the token says, or null if it is not accepted; on any thread
     */
    boolean start(String token, Consumer<@Nullable Accepted> checked) {
        int bytes = 2 * token.length();
        if (waitingBytes.addAndGet(bytes) > MAX_WAITING_BYTES || workers.isShutdown()) {
            waitingBytes.addAndGet(-bytes);
            return false;
        }
        workers.execute(() -> {
            Accepted accepted = check(token);
            waitingBytes.addAndGet(-bytes);
            checked.accept(accepted);
        });
        return true;
    }

    private @Nullable Accepted check(String token) {
        try {
            JwtClaims claims = consumer.processToClaims(token);
            String user = claims.getStringClaimValue(settings.userClaim());
            if (user == null || user.isBlank() || !hasScopes(claims)) {
                LOG.debug("A token lacks the claim {}, or has an empty scope", settings.userClaim());
                return null;
            }
            return new Accepted(user.strip(), claims.getExpirationTime().getValueInMillis());
        } catch (InvalidJwtException e) {
            // Its message has the claims, which clients choose.
            LOG.debug(
                    "A token is not accepted: {}",
                    e.getErrorDetails().stream()
                            .map(detail -> detail.getErrorCode())
                            .toList());
            return null;
        } catch (MalformedClaimException | RuntimeException e) {
            LOG.debug("A token can't be read: {}", e.getClass().getSimpleName());
            return null;
        }
    }

    /** There may be no scopes, but none may be empty, as in Kafka. */
    private boolean hasScopes(JwtClaims claims) {
        Object scopes = claims.getClaimValue(settings.scopeClaim());
        Collection<?> all = scopes instanceof Collection<?> many ? many : scopes == null ? List.of() : List.of(scopes);
        return all.stream().noneMatch(scope -> String.valueOf(scope).isBlank());
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
