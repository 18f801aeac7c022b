package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.Durability;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.simulation.ForgetfulLog;
import org.junit.jupiter.api.Test;

/**
 * Thousands of power cuts. A failure contains its seed: {@code new StoreSimulation(seed, ...).run(LIVES, LOOKS)}
 * repeats it, and so does {@code -Drivulet.crash.seed=SEED}. More states: {@code -Drivulet.crash.states=10000}.
 */
class StoreCrashTest {
    private static final int LIVES = 3;
    private static final int LOOKS = 6;
    private static final int STATES = Integer.getInteger("rivulet.crash.states", 2000);
    private static final long FIRST_SEED = Long.getLong("rivulet.crash.seed", 0);

    @Test
    void aPowerCutLeavesABeginningOfTheLogThatHoldsWhateverWasAcknowledged() {
        int states = 0;
        long merges = 0;
        long expiries = 0;
        for (long seed = FIRST_SEED; states < STATES; seed++) {
            StoreSimulation simulation = new StoreSimulation(seed, Tampering.NONE);
            states += simulation.run(LIVES, LOOKS);
            merges += simulation.merges();
            expiries += simulation.expiries();
        }
        assertThat(states).isGreaterThanOrEqualTo(STATES);
        assertThat(merges).isGreaterThan(states / 20);
        assertThat(expiries).isGreaterThan(states / 20);
    }

    @Test
    void aPowerCutLeavesAHugeBatchCompletelyOrNotAtAll() {
        int states = 0;
        for (long seed = FIRST_SEED; states < STATES; seed++) {
            states +=
                    new StoreSimulation(seed, Tampering.NONE).withHugeBatches().run(LIVES, LOOKS);
        }
        assertThat(states).isGreaterThanOrEqualTo(STATES);
    }

    @Test
    void aPowerCutLosesNoBatchThatTheLogDoesNotKeep() {
        Tampering forgetful = new Tampering() {
            @Override
            public CommitLog log(CommitLog log) {
                return new ForgetfulLog(log);
            }
        };
        int states = 0;
        for (long seed = FIRST_SEED; states < STATES / 4; seed++) {
            states += new StoreSimulation(seed, forgetful).run(LIVES, LOOKS);
        }
        assertThat(states).isGreaterThanOrEqualTo(STATES / 4);
    }

    @Test
    void withoutForcingAPowerCutStillLeavesABeginningOfTheLog() {
        int states = 0;
        for (long seed = FIRST_SEED; states < STATES / 5; seed++) {
            states += new StoreSimulation(seed, Durability.OS, Tampering.NONE).run(LIVES, LOOKS);
        }
        assertThat(states).isGreaterThanOrEqualTo(STATES / 5);
    }
}
