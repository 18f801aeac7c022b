package io.rivulet.prove.faults;

import io.rivulet.prove.Check;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** kill -9 under one mixed load, at any moment, of a start too. Immutable. */
public final class KillCheck implements Check {
    private static final int POINTS = 30;
    private static final int KILLS_OF_A_SEED = 15;
    private static final int MOST_PROGRESS = 600;
    private static final int ONE_IN = 3;
    private static final int MOST_START_MILLIS = 500;

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public String promise() {
        return "kill -9 at any moment, of a start too: nothing acknowledged is lost, doubled or torn";
    }

    @Override
    public int points() {
        return POINTS;
    }

    @Override
    public Points open(Path scratch, Path kept) {
        return seed -> new Found(KILLS_OF_A_SEED, KeptFiles.run("kill-" + seed, scratch, kept, own -> {
            try (LoadedBroker broker = new LoadedBroker(own, Map.of(), seed)) {
                return kill(broker, new Random(seed));
            }
        }));
    }

    private static List<String> kill(LoadedBroker broker, Random random) throws Exception {
        for (int kills = 0; kills < KILLS_OF_A_SEED && broker.isSound(); kills++) {
            if (random.nextInt(ONE_IN) == 0) {
                broker.process().kill();
                broker.begin();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_START_MILLIS)));
                kills++;
            } else {
                broker.awaitProgress(1 + random.nextInt(MOST_PROGRESS));
            }
            broker.process().kill();
            broker.restart();
        }
        return broker.finish();
    }
}
