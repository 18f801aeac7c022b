package io.rivulet.broker.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A way to log in that the broker serves. */
public enum SaslMechanism {
    PLAIN("PLAIN"),
    SCRAM_SHA_256("SCRAM-SHA-256"),
    SCRAM_SHA_512("SCRAM-SHA-512"),
    OAUTHBEARER("OAUTHBEARER");

    private final String text;

    SaslMechanism(String text) {
        this.text = text;
    }

    /** Its registered name, such as SCRAM-SHA-256. */
    public String text() {
        return text;
    }

    /** Null if the broker serves none with this name. */
    public static @Nullable SaslMechanism ofText(String text) {
        for (SaslMechanism mechanism : values()) {
            if (mechanism.text.equals(text)) {
                return mechanism;
            }
        }
        return null;
    }

    /** As in the keys of a listener. */
    String keyPart() {
        return text.toLowerCase(Locale.ROOT);
    }
}
