package io.rivulet.prove.faults;

import io.rivulet.prove.Check;
import io.rivulet.store.faults.FaultShim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Faults of the file system under one mixed load, by a preloaded library. Immutable. */
public final class DiskCheck implements Check {
    private static final int POINTS = 100;
    private static final int FAULTS_OF_A_SEED = 25;
    private static final int MOST_PROGRESS = 300;

    @Override
    public String name() {
        return "disk";
    }

    @Override
    public String promise() {
        return "a disk that is full, slow or fails: nothing acknowledged is lost, and the broker goes on or"
                + " ends with the cause";
    }

    @Override
    public int points() {
        return POINTS;
    }

    @Override
    public Points open(Path scratch, Path kept) {
        return seed -> new Found(FAULTS_OF_A_SEED, KeptFiles.run("disk-" + seed, scratch, kept, own -> {
            FaultShim shim = FaultShim.compile(own, Files.createDirectory(own.resolve("data")));
            try (LoadedBroker broker = new LoadedBroker(own, shim.environment(), seed)) {
                return fail(broker, new Random(seed), shim);
            }
        }));
    }

    private static List<String> fail(LoadedBroker broker, Random random, FaultShim shim) throws Exception {
        DiskFaults disk = new DiskFaults(broker, shim, random);
        for (int faults = 0; faults < FAULTS_OF_A_SEED && broker.isSound(); faults++) {
            if (broker.awaitProgress(1 + random.nextInt(MOST_PROGRESS))) {
                disk.strike();
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
