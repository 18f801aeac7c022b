package io.rivulet.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.Topics;
import io.rivulet.protocol.wire.Uuid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Compares a session with a plain map of its partitions, and checks its notifications. */
final class FetchSessionTest {
    private static final int TOPICS = 5;
    private static final int PARTITIONS = 40;

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final TopicCatalogue catalogue = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
    private final QueueInterest interest = new QueueInterest();
    private final FetchSession session = new FetchSession(catalogue, interest, false);

    private record Place(String topic, int partition) {}

    @Test
    void readyPartitionsAreThoseOfAPlainMap() {
        for (int topic = 0; topic < TOPICS; topic++) {
            Topics.create(catalogue, "t" + topic, topic + 1, topic * 5000, PARTITIONS);
        }
        Map<Place, Long> model = new HashMap<>();
        Set<Place> ready = new HashSet<>();
        for (int step = 0; step < 50_000; step++) {
            Place place = new Place("t" + random.nextInt(TOPICS), random.nextInt(PARTITIONS + 3));
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    name(session, place, step);
                    model.put(place, (long) step);
                    ready.add(place);
                }
                case 2 -> {
                    session.forget(place.topic, Uuid.ZERO, place.partition);
                    model.remove(place);
                    ready.remove(place);
                }
                case 3 -> {
                    grow(place);
                    if (model.containsKey(place) && place.partition < PARTITIONS) {
                        ready.add(place);
                    }
                }
                default -> {
                    int slot = session.readiness().next(random.nextInt(100));
                    if (slot >= 0) {
                        session.readiness().clearReady(slot);
                        session.readiness().settle(slot);
                        ready.remove(placeOf(slot));
                    }
                }
            }
            if (step % 50 == 0) {
                assertThat(session.size()).isEqualTo(model.size());
                assertThat(readyPlaces(model))
                        .as("step %d, seed %d", step, seed)
                        .isEqualTo(names(ready));
            }
        }
    }

    private Set<String> readyPlaces(Map<Place, Long> model) {
        Set<String> places = new TreeSet<>();
        for (int slot = session.readiness().next(0);
                slot >= 0;
                slot = session.readiness().next(slot + 1)) {
            Place place = placeOf(slot);
            places.add(place.toString());
            assertThat(session.offsetOf(slot)).isEqualTo(model.get(place));
        }
        return places;
    }

    private static Set<String> names(Set<Place> places) {
        Set<String> names = new TreeSet<>();
        places.forEach(place -> names.add(place.toString()));
        return names;
    }

    private Place placeOf(int slot) {
        return new Place(session.topicOf(slot).name(), session.partitionOf(slot));
    }

    private void grow(Place place) {
        int queueId = Objects.requireNonNull(catalogue.find(place.topic)).queueId(place.partition);
        if (queueId != Topic.NO_QUEUE) {
            interest.grown(queueId, 1);
        }
    }

    private static void name(FetchSession session, Place place, long offset) {
        session.name(place.topic, Uuid.ZERO, place.partition, offset, 1000, ErrorCode.NONE);
    }

    @Test
    void aTopicThatIsCreatedAgainNotifiesUnderItsNewQueues() {
        Uuid old = Topics.create(catalogue, "t", 1, 100, 2);
        name(session, new Place("t", 0), 0);
        name(session, new Place("t", 2), 0);
        clearReady();
        Topics.delete(catalogue, old);
        Uuid made = Topics.create(catalogue, "t", 2, 700, 2);
        interest.queuesDeleted(100, 2);
        assertThat(session.queueOf(session.readiness().next(0))).isEqualTo(700);
        clearReady();

        interest.grown(100, 1);
        assertThat(session.readiness().next(0)).isEqualTo(-1);
        interest.grown(700, 1);
        assertThat(session.queueOf(session.readiness().next(0))).isEqualTo(700);

        Topics.addPartitions(catalogue, made, 2, 9000, 1);
        int added = session.queueOf(1);
        assertThat(added).isEqualTo(9000);
        clearReady();
        interest.grown(9000, 1);
        assertThat(session.readiness().next(0)).isEqualTo(1);
    }

    private void clearReady() {
        for (int slot = session.readiness().next(0);
                slot >= 0;
                slot = session.readiness().next(slot + 1)) {
            session.readiness().clearReady(slot);
        }
    }

    @Test
    void aWaitingFetchWakesUpWhenEnoughBytesAreAppended() {
        Topics.create(catalogue, "t", 1, 0, 1);
        name(session, new Place("t", 0), 0);
        AtomicInteger woken = new AtomicInteger();
        long before = session.growth().bytes();
        interest.grown(0, 40);
        session.growth().await(before + 100, woken::incrementAndGet);
        interest.grown(0, 59);
        assertThat(woken).hasValue(0);
        interest.grown(0, 1);
        assertThat(woken).hasValue(1);
        session.growth().stopWaiting();
        interest.grown(0, 1000);
        assertThat(woken).hasValue(1);

        session.growth().await(before + 100, woken::incrementAndGet);
        assertThat(woken).as("enough bytes were already appended").hasValue(2);
    }

    @Test
    void aMillionPartitionsTakeFewBytesEachAndAnEndedSessionIsNotNotified() {
        int partitions = 1_000_000;
        Topics.create(catalogue, "t", 1, 0, partitions);
        for (int partition = 0; partition < partitions; partition++) {
            name(session, new Place("t", partition), 0);
            session.readiness().clearReady(partition);
        }

        assertThat(session.bytes()).isLessThan(partitions * 64L);
        assertThat(session.readiness().next(0)).isEqualTo(-1);
        interest.grown(777_777, 1);
        assertThat(session.readiness().next(0)).isEqualTo(777_777);
        session.readiness().clearReady(777_777);

        session.end();
        interest.grown(777_777, 1);
        assertThat(session.readiness().next(0)).isEqualTo(-1);
    }
}
