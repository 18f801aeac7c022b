package io.rivulet.broker.net;

import io.rivulet.protocol.message.ApiKey;

/** Whether an answer that was made may leave: a broker may have lost what it was made from. Thread-safe. */
@FunctionalInterface
public interface AnswerRule {
    /** For a broker that owns its store by itself. */
    AnswerRule ALWAYS = key -> true;

    boolean allows(ApiKey key);
}
