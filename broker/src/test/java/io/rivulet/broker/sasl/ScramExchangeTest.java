package io.rivulet.broker.sasl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that know the password and repeat the nonce in their own way. */
final class ScramExchangeTest {
    private static final String OWN = "fyko+d2lbbFgONRv9qkxdawL";
    private static final byte[] SALT = new byte[16];
    private static final int ITERATIONS = 4096;
    private static final Scram SCRAM = Scram.SHA_256;

    private final ScramUsers users = new ScramUsers();

    @BeforeEach
    void addAlice() {
        byte[] salted = SCRAM.saltedPassword("secret", SALT, ITERATIONS);
        ScramCredential credential = SCRAM.credential(salted, SALT, ITERATIONS);
        users.apply(0, ScramEntryLayout.entry("alice", SCRAM, credential));
    }

    private static Step next(ScramExchange exchange, String message) {
        AtomicReference<Step> step = new AtomicReference<>();
        exchange.next(message.getBytes(UTF_8), step::set);
        return Objects.requireNonNull(step.get());
    }

    /** Logs in. The nonce of the last message is what this makes of the broker's. */
    private Step logIn(UnaryOperator<String> repeat) {
        ScramExchange exchange = new ScramExchange(SCRAM, users);
        String bare = "n=alice,r=" + OWN;
        String challenge = new String(next(exchange, "n,," + bare).token(), UTF_8);
        String nonce = challenge.substring("r=".length(), challenge.indexOf(",s="));
        String last = "c=biws,r=" + repeat.apply(nonce);

        byte[] signed = (bare + "," + challenge + "," + last).getBytes(UTF_8);
        byte[] key = SCRAM.hmac(SCRAM.saltedPassword("secret", SALT, ITERATIONS), "Client Key".getBytes(UTF_8));
        byte[] proof = SCRAM.hmac(SCRAM.hash(key), signed);
        Scram.xorInto(proof, key);
        return next(exchange, last + ",p=" + Base64.getEncoder().encodeToString(proof));
    }

    private static void assertAccepted(Step step) {
        assertThat(step.user()).isEqualTo("alice");
    }

    @Test
    void theNonceOfTheBrokerIsRepeated() {
        assertAccepted(logIn(nonce -> nonce));
        assertAccepted(logIn(nonce -> nonce + ",ext=more"));
    }

    /** librdkafka before 2.6.1 does that. */
    @Test
    void theClientMayRepeatItsOwnNonceTwice() {
        assertAccepted(logIn(nonce -> OWN + nonce));
    }

    @Test
    void anyOtherNonceIsRefused() {
        for (UnaryOperator<String> repeat : List.<UnaryOperator<String>>of(
                nonce -> OWN,
                nonce -> OWN + OWN,
                nonce -> OWN + OWN + nonce,
                nonce -> "other" + nonce,
                nonce -> nonce + "other",
                nonce -> OWN + nonce + "other",
                nonce -> nonce.substring(OWN.length()),
                nonce -> "")) {
            assertThat(logIn(repeat).user()).isNull();
        }
    }
}
