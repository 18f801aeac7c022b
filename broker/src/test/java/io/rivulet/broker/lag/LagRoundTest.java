package io.rivulet.broker.lag;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.Topics;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.Store;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The lag of groups is added up into a bounded number of series. Each queue ends at offset 100. */
final class LagRoundTest {
    private static final long END = 100;
    private static final int PARTITIONS = 20;

    private final TopicCatalogue catalogue =
            new TopicCatalogue(BrokerConfig.of(Map.of()).topicDefaults());
    private final List<Uuid> topics = new ArrayList<>();
    private final Set<Integer> deleted = new HashSet<>();
    private Map<LagRound.Key, LagSeries> before = Map.of();

    private final Store store = (Store) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "exists" -> !deleted.contains((int) arguments[0]);
                case "endOffset" -> END;
                default -> throw new UnsupportedOperationException(method.getName());
            });

    private Uuid topic(int number) {
        while (topics.size() <= number) {
            int next = topics.size();
            topics.add(Topics.create(catalogue, "topic-" + next, next + 1, next * PARTITIONS, PARTITIONS));
        }
        return topics.get(number);
    }

    private LagRound round(int limit) {
        return new LagRound(store, catalogue, before, limit);
    }

    private static List<String> lags(LagRound round) {
        return round.lags(0).series().stream()
                .map(series -> series.group() + " " + series.topic() + " " + series.lag())
                .toList();
    }

    private void commit(LagRound round, String group, int firstTopic, int count) {
        round.group(group, 1);
        for (int number = firstTopic; number < firstTopic + count; number++) {
            round.offset(topic(number), 0, 90);
        }
    }

    @Test
    void partitionsOfATopicAreAddedUp() {
        LagRound round = round(10);
        round.group("a", 1);
        round.offset(topic(0), 0, 90);
        round.offset(topic(0), 1, 100);
        round.offset(topic(0), 2, 95);

        LagSeries series = round.lags(0).series().get(0);

        assertThat(lags(round)).containsExactly("a topic-0 15", "(other) (other) 0");
        assertThat(series.offsets()).isEqualTo(285);
        assertThat(round.unread()).hasSize(2);
    }

    @Test
    void whatHasNoRecordsIsNoLag() {
        LagRound round = round(10);
        round.group("a", 1);
        round.offset(topic(0), 0, END + 50); // committed by hand
        round.offset(topic(0), PARTITIONS, 3); // no such partition
        round.offset(topic(0), 1, -1);
        round.offset(new Uuid(7, 7), 0, 3); // a deleted topic
        deleted.add(2);
        round.offset(topic(0), 2, 3);

        assertThat(lags(round)).containsExactly("a topic-0 0", "(other) (other) 0");
        assertThat(round.lags(0).series().get(0).lagSeconds(1000)).isZero();
    }

    @Test
    void oneGroupTakesAQuarterOfTheSeriesAndTheRestIsAddedUp() {
        LagRound round = round(8);
        commit(round, "many", 0, 100);
        commit(round, "few", 0, 1);

        assertThat(lags(round))
                .containsExactly(
                        "many topic-0 10",
                        "many topic-1 10",
                        "many (other) 980",
                        "few topic-0 10",
                        "(other) (other) 0");
    }

    @Test
    void seriesAreBoundedAndTheSumIsRight() {
        LagRound round = round(8);
        for (int group = 0; group < 50; group++) {
            commit(round, "group-" + group, 0, 1);
        }

        assertThat(lags(round)).hasSize(9).endsWith("group-7 topic-0 10", "(other) (other) 420");
    }

    /** A round of groups with one topic each, after the earlier rounds. */
    private List<String> roundOf(int limit, String... groups) {
        LagRound round = round(limit);
        for (String group : groups) {
            commit(round, group, 0, 1);
        }
        before = round.series();
        return lags(round);
    }

    @Test
    void aSeriesStaysUntilItsOffsetsGoAndThenMakesRoom() {
        assertThat(roundOf(2, "b", "c")).hasSize(3);

        assertThat(roundOf(2, "a", "b", "c")).containsExactly("b topic-0 10", "c topic-0 10", "(other) (other) 10");

        assertThat(roundOf(2, "a", "c")).containsExactly("c topic-0 10", "(other) (other) 10");
        assertThat(roundOf(2, "a", "c")).containsExactly("a topic-0 10", "c topic-0 10", "(other) (other) 0");
    }

    @Test
    void aGroupNamedLikeTheRestOrWithALongIdBelongsToTheRest() {
        LagRound round = round(4);
        commit(round, LagSeries.OTHER, 0, 3);
        commit(round, "x".repeat(LagSeries.MAX_GROUP_CHARS + 1), 0, 1);

        assertThat(lags(round)).containsExactly("(other) (other) 40");
    }

    @Test
    void theAgeIsThatOfTheOldestRecordAndIsReadOnce() {
        LagRound first = round(4);
        first.group("a", 1);
        first.offset(topic(0), 0, 90);
        first.offset(topic(0), 1, 80);
        first.unread().forEach(late -> late.millis = 1000 * late.offset);
        assertThat(first.lags(0).series().get(0).lagSeconds(90_000)).isEqualTo(10);

        before = first.series();
        LagRound second = round(4);
        second.group("a", 1);
        second.offset(topic(0), 0, 90);
        second.offset(topic(0), 1, 95);
        second.result();

        assertThat(second.unread()).hasSize(1).allMatch(late -> late.offset == 95);
        assertThat(second.lags(0).series().get(0).lagSeconds(91_000)).isEqualTo(1);
    }

    @Test
    void theLargestLagsOfATopicAreRead() {
        LagRound round = round(4);
        round.group("a", 1);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            round.offset(topic(0), partition, 99 - partition);
        }

        assertThat(round.unread()).hasSize(16).noneMatch(late -> late.lag <= PARTITIONS - 16);
    }

    @Test
    void anUnknownTimeIsNoAge() {
        LagRound round = round(4);
        commit(round, "a", 0, 1);

        assertThat(round.lags(0).series().get(0).lagSeconds(1000)).isNegative();
    }
}
