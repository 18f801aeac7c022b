package io.rivulet.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.environment.RandomIds;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.node.LeaderEpochs;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.Topics;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which sessions are kept, evicted and continued. */
final class FetchSessionsTest {
    private static final long TWO_MINUTES = FetchSessions.EVICTION_MILLIS;

    private final TopicCatalogue catalogue = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
    private final AtomicLong clock = new AtomicLong();
    private FetchSessions sessions = sessions(2, 1 << 20);

    private FetchSessions sessions(int slots, long bytes) {
        return new FetchSessions(
                new LeaderEpochs(0),
                catalogue,
                new QueueInterest(),
                slots,
                bytes,
                clock::get,
                RandomIds.OF_THE_MACHINE,
                Runnable::run);
    }

    @BeforeEach
    void createTopic() {
        Topics.create(catalogue, "t", 1, 0, 10_000);
    }

    private static FetchRequest request(int id, int epoch, int partitions) {
        return new FetchRequest()
                .sessionId(id)
                .sessionEpoch(epoch)
                .topics(List.of(new FetchTopic()
                        .topic("t")
                        .partitions(IntStream.range(0, partitions)
                                .mapToObj(i -> new FetchPartition().partition(i))
                                .toList())));
    }

    /** The id of a session after its first answer. */
    private int begin(int partitions) {
        FetchSession session = sessions.begin(request(0, 0, partitions), false);
        sessions.keep(session);
        int id = session.id();
        sessions.end(session);
        return id;
    }

    private void goOn(int id, int epoch) {
        sessions.end(sessions.begin(request(id, epoch, 0), false));
    }

    private void assertRefused(int id, int epoch, ErrorCode code) {
        assertThatThrownBy(() -> sessions.begin(request(id, epoch, 0), false))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    @Test
    void epochsIncreaseByOne() {
        int id = begin(3);

        assertRefused(id, 2, ErrorCode.INVALID_FETCH_SESSION_EPOCH);
        goOn(id, 1);
        goOn(id, 2);
        assertRefused(id, 2, ErrorCode.INVALID_FETCH_SESSION_EPOCH);
        assertRefused(id + 1, 3, ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void oneFetchAtATimeHasASession() {
        int id = begin(3);
        FetchSession taken = sessions.begin(request(id, 1, 0), false);

        assertRefused(id, 2, ErrorCode.INVALID_FETCH_SESSION_EPOCH);

        sessions.end(taken);
        goOn(id, 2);
    }

    @Test
    void theLongestIdleSessionIsEvictedAfterTwoMinutesAndNotBefore() {
        int first = begin(5);
        int second = begin(5);
        clock.addAndGet(TWO_MINUTES);
        goOn(second, 1);
        assertThat(begin(5)).isZero();

        clock.addAndGet(1);
        int third = begin(5);

        assertThat(third).isNotZero();
        assertRefused(first, 1, ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        goOn(second, 2);
        goOn(third, 1);
    }

    @Test
    void aSmallerSessionIsEvictedForALargerOneWhenItIsTwoMinutesOld() {
        int small = begin(2);
        int middle = begin(4);
        assertThat(begin(6)).isZero();
        clock.addAndGet(TWO_MINUTES + 1);
        goOn(small, 1);
        goOn(middle, 1);

        assertThat(begin(2)).isZero();
        int large = begin(3);

        assertThat(large).isNotZero();
        assertRefused(small, 2, ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        goOn(middle, 2);
    }

    @Test
    void bytesAreBounded() {
        sessions = sessions(1000, 20_000);
        int kept = 0;
        for (int i = 0; i < 100; i++) {
            kept += begin(3) == 0 ? 0 : 1;
        }

        assertThat(kept).isBetween(2, 10);
        assertThat(sessions.bytes()).isLessThanOrEqualTo(20_000);
        assertThat(begin(10_000)).as("larger than everything").isZero();
    }

    @Test
    void aSessionThatGrowsBeyondTheLimitIsNotKept() {
        sessions = sessions(1000, 20_000);
        int id = begin(3);

        sessions.end(sessions.begin(request(id, 1, 10_000), false));

        assertRefused(id, 2, ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(sessions.bytes()).isZero();
    }

    @Test
    void aNewSessionReplacesTheOldOneOfItsClientEvenWhileAFetchHasThat() {
        int id = begin(3);
        FetchSession taken = sessions.begin(request(id, 1, 0), false);
        FetchSession fresh = sessions.begin(request(id, 0, 3), false);
        sessions.keep(fresh);
        sessions.end(fresh);
        sessions.end(taken);

        assertThat(sessions.count()).isEqualTo(1);
        assertRefused(id, 2, ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        goOn(fresh.id(), 1);
    }
}
