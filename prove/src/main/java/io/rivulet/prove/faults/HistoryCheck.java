package io.rivulet.prove.faults;

import io.rivulet.prove.Check;
import io.rivulet.prove.history.History;
import io.rivulet.prove.history.HistoryLoad;
import io.rivulet.store.faults.FaultShim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Pauses, kills and faults of the disk while clients record what they do and see. Immutable. */
public final class HistoryCheck implements Check {
    private static final int POINTS = 36;
    private static final int FAULTS_OF_A_SEED = 12;
    private static final int MOST_PROGRESS = 400;
    private static final int MOST_PAUSE_MILLIS = 1500;

    @Override
    public String name() {
        return "history";
    }

    @Override
    public String promise() {
        return "a history of producers, readers, groups and transactions under pauses, kills and faults of the disk:"
                + " nothing lost, doubled, torn, reordered, skipped or seen too early";
    }

    @Override
    public int points() {
        return POINTS;
    }

    @Override
    public Points open(Path scratch, Path kept) {
        return seed -> new Found(FAULTS_OF_A_SEED, record(scratch, kept, seed, new History()));
    }

    /** Fills the history. Returns what is wrong with it. */
    public static List<String> record(Path scratch, Path kept, long seed, History history) throws Exception {
        return KeptFiles.run("history-" + seed, scratch, kept, own -> record(own, seed, history));
    }

    private static List<String> record(Path own, long seed, History history) throws Exception {
        FaultShim shim = FaultShim.compile(own, Files.createDirectory(own.resolve("data")));
        try (LoadedBroker broker = new LoadedBroker(
                own, shim.environment(), HistoryLoad.BROKER, target -> HistoryLoad.start(target, seed, history))) {
            Random random = new Random(seed);
            DiskFaults disk = new DiskFaults(broker, shim, random);
            for (int faults = 0; faults < FAULTS_OF_A_SEED && broker.isSound(); faults++) {
                if (broker.awaitProgress(1 + random.nextInt(MOST_PROGRESS))) {
                    strike(broker, disk, random);
                } else {
                    disk.ended();
                }
            }
            if (broker.isSound() && !broker.awaitProgress(1)) {
                disk.ended();
            }
            return broker.finish();
        }
    }

    private static void strike(LoadedBroker broker, DiskFaults disk, Random random) throws Exception {
        switch (random.nextInt(3)) {
            case 0 -> {
                broker.process().pause();
                DiskFaults.pause(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_PAUSE_MILLIS)));
                broker.process().resume();
            }
            case 1 -> {
                broker.process().kill();
                broker.restart();
            }
            default -> disk.strike();
        }
    }
}
