package io.rivulet.broker.group;

import static io.rivulet.broker.group.GroupCalls.commit;
import static io.rivulet.broker.group.GroupCalls.deleteGroup;
import static io.rivulet.broker.group.GroupCalls.stableGroup;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.internal.StateSource;
import io.rivulet.protocol.wire.Uuid;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The records of groups: an image, and the changes after it. */
final class GroupRecordsTest {
    private final InPlace broker = new InPlace();
    private final Uuid topic = broker.createTopic("t", 4);

    @Test
    void nothingIsWrittenWithoutAReader() {
        commit(broker, "g", "t", 1, 42);
        stableGroup(broker, "g", "m");
        broker.allDurable();

        assertThat(broker.records.values).isEmpty();
        assertThat(broker.records.flushes).isZero();
    }

    @Test
    void aReaderOfTheImageKnowsGroupsAndOffsets() {
        commit(broker, "g", "t", 1, 42);
        stableGroup(broker, "h", "m");
        broker.allDurable();

        assertThat(image(broker)).hasSize(2);
    }

    @Test
    void deletionsAreWritten() {
        commit(broker, "g", "t", 1, 42);
        stableGroup(broker, "h", "m");
        broker.allDurable();
        broker.records.values.putAll(image(broker));
        broker.records.read = true;

        deleteGroup(broker, "g");
        broker.allDurable();
        broker.table.apply(GroupEntryLayout.groupDeleted("h"));

        assertThat(broker.records.values).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatChangesDuringTheImageAndAfterItIsKnownToItsReader(long seed) {
        Random random = new Random(seed);
        change(random, 2000);
        broker.records.read = true;
        StateSource.Image image = broker.state.image();
        while (image.writeSlice()) {
            change(random, 10);
        }
        change(random, 500);

        assertThat(broker.records.values).as("seed %s", seed).isEqualTo(image(broker));
        assertThat(broker.records.values).isNotEmpty();
    }

    private void change(Random random, int changes) {
        for (int i = 0; i < changes; i++) {
            String group = "g" + random.nextInt(60);
            int partition = random.nextInt(200);
            switch (random.nextInt(20)) {
                case 0 -> broker.table.apply(GroupEntryLayout.groupDeleted(group));
                case 1, 2 -> {
                    OffsetsEntry deleted = OffsetsEntry.deleted(group);
                    deleted.delete(topic, partition);
                    deleted.entries().forEach(broker.table::apply);
                }
                case 3 -> {
                    long producerId = random.nextInt(3);
                    OffsetsEntry pending = OffsetsEntry.inTransaction(group, 1000L * i, producerId);
                    pending.commit(topic, partition, i, 0, "");
                    pending.entries().forEach(broker.table::apply);
                    broker.table.apply(GroupEntryLayout.transactionOver(producerId, random.nextBoolean()));
                }
                default -> {
                    OffsetsEntry committed = OffsetsEntry.committed(group, 1000L * i, random.nextInt(5) == 0 ? i : -1);
                    committed.commit(topic, partition, i, 0, random.nextBoolean() ? "text" : null);
                    committed.entries().forEach(broker.table::apply);
                }
            }
        }
    }

    /** What a new reader knows now. */
    private static Map<String, String> image(InPlace broker) {
        return imageOf(broker.reloaded());
    }

    private static Map<String, String> imageOf(InPlace broker) {
        broker.records.read = true;
        StateSource.Image image = broker.state.image();
        boolean more = true;
        while (more) {
            more = image.writeSlice();
        }
        return broker.records.values;
    }
}
