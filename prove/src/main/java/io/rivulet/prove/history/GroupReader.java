package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Commit;
import io.rivulet.prove.history.History.Committed;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.load.Load;
import io.rivulet.prove.load.Target;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A member of a group that commits what it has read, asks for it, and leaves and comes back. */
final class GroupReader extends Load {
    private static final int POLLS_UNTIL_IT_LEAVES = 150;
    private static final int POLLS_UNTIL_IT_ASKS = 10;
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final Target target;
    private final String name;
    private final String group;
    private final History history;
    private final Random random;

    GroupReader(Target target, String name, String group, History history, Random random) {
        super(name);
        this.target = target;
        this.name = name;
        this.group = group;
        this.history = history;
        this.random = random;
    }

    @Override
    protected void run() {
        while (!isStopped()) {
            Reading reading = Reading.ofGroup(target, name, group, "classic", history);
            while (!isStopped() && random.nextInt(POLLS_UNTIL_IT_LEAVES) > 0) {
                if (!reading.poll().isEmpty()) {
                    commit(reading);
                }
            }
            reading.close(CLOSE);
        }
    }

    private void commit(Reading reading) {
        Map<TopicPartition, OffsetAndMetadata> offsets = reading.offsets();
        Map<String, Long> named = new HashMap<>();
        offsets.forEach((partition, offset) -> named.put(partition.toString(), offset.offset()));
        long startNanos = System.nanoTime();
        Result result = Result.INFO;
        try {
            reading.consumer().commitSync(offsets);
            result = Result.OK;
            acknowledged();
        } catch (KafkaException e) {
            // Another try of the client, before the last one, may have had its effect.
        }
        history.add(new Commit(result, group, named, startNanos, System.nanoTime()));
        if (result == Result.OK && random.nextInt(POLLS_UNTIL_IT_ASKS) == 0) {
            ask(reading);
        }
    }

    private void ask(Reading reading) {
        long startNanos = System.nanoTime();
        try {
            Map<TopicPartition, OffsetAndMetadata> there =
                    reading.consumer().committed(reading.consumer().assignment());
            long endNanos = System.nanoTime();
            there.forEach((partition, offset) -> history.add(new Committed(
                    group,
                    partition.toString(),
                    offset == null ? History.UNKNOWN : offset.offset(),
                    startNanos,
                    endNanos)));
        } catch (KafkaException e) {
            return; // the broker is not there
        }
    }
}
