package io.rivulet.broker.sasl;

import io.rivulet.broker.config.SaslMechanism;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Names and passwords of all listeners, to check a password that is sent as it is, outside of SASL. Thread-safe after
 * it has been filled.
 */
public final class Passwords {
    private final ScramUsers scram;
    private final List<PlainUsers> plain = new ArrayList<>();
    private final Set<Scram> enabled = EnumSet.noneOf(Scram.class);

    Passwords(ScramUsers scram) {
        this.scram = scram;
    }

    /** Adds the users of a listener. */
    void add(PlainUsers users, Set<SaslMechanism> mechanisms) {
        if (mechanisms.contains(SaslMechanism.PLAIN)) {
            plain.add(users);
        }
        for (Scram each : Scram.values()) {
            if (mechanisms.contains(each.mechanism())) {
                enabled.add(each);
            }
        }
    }

    /**
     * Checks a password. Takes some milliseconds, also if there is no such user.
     *
     * @return says whether the password is still the user's; null if it is wrong
     */
    public @Nullable BooleanSupplier check(String user, String password) {
        if (user.isEmpty() || password.isEmpty()) {
            return null;
        }
        BooleanSupplier right = plain.stream().anyMatch(users -> users.matches(user, password)) ? () -> true : null;
        for (Scram each : enabled) {
            ScramCredential known = scram.find(user, each);
            boolean same = matches(each, Objects.requireNonNullElseGet(known, () -> scram.decoy(user, each)), password);
            if (same && known != null && right == null) {
                right = () -> isSame(scram.find(user, each), known);
            }
        }
        return right;
    }

    @SuppressWarnings("ReferenceEquality") // each change of a password makes a new object
    private static boolean isSame(@Nullable ScramCredential now, ScramCredential known) {
        return now == known;
    }

    private static boolean matches(Scram scram, ScramCredential known, String password) {
        byte[] salted = scram.saltedPassword(password, known.salt(), known.iterations());
        byte[] clientKey = scram.hmac(salted, Scram.ascii("Client Key"));
        return MessageDigest.isEqual(scram.hash(clientKey), known.storedKey());
    }
}
