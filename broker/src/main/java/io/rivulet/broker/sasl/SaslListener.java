package io.rivulet.broker.sasl;

import io.rivulet.broker.config.SaslMechanism;
import io.rivulet.broker.config.SaslSettings;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How clients of one listener log in. Immutable. */
public final class SaslListener {
    private final SaslSettings settings;
    private final List<String> names;
    private final PlainUsers plain;
    private final ScramUsers scram;
    private final @Nullable TokenChecks checks;

    /** @param checks of tokens; null if OAUTHBEARER is not enabled */
    SaslListener(SaslSettings settings, PlainUsers plain, ScramUsers scram, @Nullable TokenChecks checks) {
        this.settings = settings;
        this.names = settings.names();
        this.plain = plain;
        this.scram = scram;
        this.checks = checks;
    }

    /** The login of a new connection. */
    public Login login() {
        return new Login(this, System::nanoTime, System::currentTimeMillis);
    }

    Login login(LongSupplier clockNanos, LongSupplier clockMillis) {
        return new Login(this, clockNanos, clockMillis);
    }

    public SaslSettings settings() {
        return settings;
    }

    List<String> mechanismNames() {
        return names;
    }

    /** Null if it is not enabled. */
    @Nullable
    SaslMechanism find(String name) {
        SaslMechanism mechanism = SaslMechanism.ofText(name);
        return mechanism == null || !settings.mechanisms().containsKey(mechanism) ? null : mechanism;
    }

    Exchange exchange(SaslMechanism mechanism) {
        return switch (mechanism) {
            case PLAIN -> new PlainExchange(plain);
            case SCRAM_SHA_256 -> new ScramExchange(Scram.SHA_256, scram);
            case SCRAM_SHA_512 -> new ScramExchange(Scram.SHA_512, scram);
            case OAUTHBEARER -> new OAuthExchange(Objects.requireNonNull(checks));
        };
    }

    long maxReauthMillis(SaslMechanism mechanism) {
        return Objects.requireNonNull(settings.mechanisms().get(mechanism)).maxReauthMillis();
    }
}
