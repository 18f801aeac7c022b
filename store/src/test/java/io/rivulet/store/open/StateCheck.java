package io.rivulet.store.open;

import static io.rivulet.store.simulation.Invariant.VIEWS_EQUAL_AFTER_REPLAY;

import io.rivulet.store.simulation.Entry;
import io.rivulet.store.simulation.Model;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Opens what a life has left, determines which beginning of its history that is, and checks everything. */
public final class StateCheck {
    /** What a life has left: a disk, and where the log is. */
    public interface Ground {
        /** @throws io.rivulet.store.simulation.Violation if the store does not open */
        SimulatedStore open(long workersSeed);

        /** What a kill or another power cut leaves of it. */
        Ground again(SplittableRandom choice);
    }

    private StateCheck() {}

    /** @param expected the model of the state with this summary */
    public static Model check(Ground ground, Function<String, Model> expected, long seed) {
        SplittableRandom choice = new SplittableRandom(seed);
        SimulatedStore simulated = ground.open(seed);
        StoreChecker checker = new StoreChecker(simulated);
        Model left = expected.apply(simulated.summary());
        Model found = left.copy();
        simulated.listenToRetention(new SimulatedStore.RetentionListener() {
            @Override
            public void offered(int queueId, long startOffset) {
                new Entry.Trim(queueId, startOffset).applyTo(found);
            }
        });
        int depth = choice.nextInt(8);
        if (depth > 0) {
            checker.requireHolds(found, 1 + choice.nextInt(100_000));
        }
        if (depth < 3) {
            checkAgain(ground, simulated, choice);
            return left;
        }
        if (depth < 5) {
            checker.requireSweepChangesNothing(found);
            checker.requireMergesDropTheDead();
        }
        if (depth < 6) {
            checker.requireAllIsReleased(found);
        }
        checker.close();
        return left;
    }

    /** A second opening, after a kill or another power cut, finds the same. */
    private static void checkAgain(Ground ground, SimulatedStore simulated, SplittableRandom choice) {
        String before = simulated.fullSummary();
        SimulatedStore second = ground.again(choice).open(choice.nextLong());
        VIEWS_EQUAL_AFTER_REPLAY.require(
                second.fullSummary().equals(before), "%s%nwas%n%s", second.fullSummary(), before);
        new StoreChecker(second).close();
    }
}
