package io.rivulet.broker.environment;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Ids that nobody has yet. Thread-safe. */
public interface RandomIds {
    RandomIds OF_THE_MACHINE = new RandomIds() {
        @Override
        public UUID uuid() {
            return UUID.randomUUID();
        }

        @Override
        public int positive() {
            return ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
        }
    };

    /** For topics, clusters and members of groups. Unique. */
    UUID uuid();

    /** For fetch sessions. It may repeat. */
    int positive();
}
