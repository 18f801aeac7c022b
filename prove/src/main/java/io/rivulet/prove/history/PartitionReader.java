package io.rivulet.prove.history;

import io.rivulet.prove.load.Load;
import io.rivulet.prove.load.Target;
import java.time.Duration;
import java.util.Random;

/** Reads all partitions without a group, and begins again and again. */
final class PartitionReader extends Load {
    private static final int POLLS_UNTIL_AGAIN = 300;

    private final Target target;
    private final String name;
    private final boolean isCommitted;
    private final History history;
    private final Random random;

    PartitionReader(Target target, String name, boolean isCommitted, History history, Random random) {
        super(name);
        this.target = target;
        this.name = name;
        this.isCommitted = isCommitted;
        this.history = history;
        this.random = random;
    }

    @Override
    protected void run() {
        Reading reading = Reading.ofPartitions(target, name, isCommitted, history);
        while (!isStopped()) {
            if (!reading.poll().isEmpty()) {
                acknowledged();
            }
            if (random.nextInt(POLLS_UNTIL_AGAIN) == 0) {
                reading.beginAgain();
            }
        }
        reading.close(Duration.ZERO);
    }
}
