package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.call.ConnectionOfATest;
import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.fetch.FetchSession;
import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.broker.fetch.QueueInterest;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.Topics;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchRequest.FetchPartition;
import io.rivulet.protocol.message.ShareFetchRequest.FetchTopic;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which share sessions there are, and what they may take. */
final class ShareSessionsTest {
    private static final int PARTITIONS = 20_000;
    private static final long MAX_BYTES = 1 << 18;

    private final TopicCatalogue catalogue = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
    private final Uuid topic = Topics.create(catalogue, "t", 1, 0, PARTITIONS);
    private final QueueInterest interest = new QueueInterest();
    private final ShareGroups groups = new ShareGroups(
            MAX_BYTES,
            id -> ShareGroupConfig.DEFAULT,
            new CoordinatorRuntime(StoreClock.system(0), new FailureLatch()));
    private final Deque<Runnable> longWork = new ArrayDeque<>();
    private final ShareSessions sessions = new ShareSessions(groups, catalogue, interest, 3, longWork::add);
    private final ConnectionOfATest connection = new ConnectionOfATest();

    @AfterEach
    void close() throws InterruptedException {
        connection.close();
    }

    @Test
    void othersDoNotWaitForTheEndOfASession() throws Exception {
        ShareSession session = sessions.open(key("m"), connection, request(0, 10));
        sessions.giveBack(session);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        Thread appending = blockQueue(0, mayGoOn);
        Thread ending = new Thread(() -> sessions.end(key("m")), "ending");
        ending.start();
        awaitBlocked(ending);

        assertThat(CompletableFuture.supplyAsync(sessions::count).get(10, TimeUnit.SECONDS))
                .isZero();

        mayGoOn.countDown();
        ending.join();
        appending.join();
        assertThat(groups.bytes()).isZero();
    }

    /** A thread that appends to a queue, and does not come back while it notifies a session of that. */
    private Thread blockQueue(int queueId, CountDownLatch mayGoOn) throws InterruptedException {
        CountDownLatch isNotified = new CountDownLatch(1);
        FetchSession other = new FetchSession(catalogue, interest, true);
        other.name("", topic, queueId, 0, 1, ErrorCode.NONE);
        other.growth().await(1, () -> {
            isNotified.countDown();
            awaitQuietly(mayGoOn);
        });
        Thread appending = new Thread(() -> interest.grown(queueId, 1), "appending");
        appending.start();
        assertThat(isNotified.await(10, TimeUnit.SECONDS)).isTrue();
        return appending;
    }

    private static void awaitBlocked(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.BLOCKED) {
            thread.join(1);
            assertThat(thread.isAlive())
                    .as("%s waits for the queue", thread.getName())
                    .isTrue();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLargeSessionEndsOnAnotherThread() {
        ShareSession session = sessions.open(key("m"), connection, request(0, FetchSessions.SMALL + 1));
        sessions.giveBack(session);

        sessions.end(key("m"));

        assertThat(sessions.count()).isZero();
        assertThat(groups.bytes()).as("its memory until it has ended").isPositive();
        longWork.remove().run();
        assertThat(groups.bytes()).isZero();
    }

    @Test
    void aSessionWithoutRoomInTheBudgetIsRefused() {
        assertRefused(() -> sessions.open(key("m"), connection, request(0, PARTITIONS)));

        assertThat(sessions.count()).isZero();
        assertThat(groups.bytes()).isZero();
    }

    @Test
    void aSessionDoesNotGrowBeyondTheBudget() {
        sessions.giveBack(sessions.open(key("m"), connection, request(0, 1000)));
        long before = groups.bytes();

        assertRefused(() -> sessions.take(key("m"), 1, request(1000, PARTITIONS)));

        assertThat(groups.bytes()).isEqualTo(before);
        ShareSession still = sessions.take(key("m"), 1, request(500, 1000));
        assertThat(still.partitions.size()).isEqualTo(1000);
        sessions.giveBack(still);
        assertThat(groups.bytes()).isEqualTo(before);
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.POLICY_VIOLATION));
    }

    private static ShareSession.Key key(String member) {
        return new ShareSession.Key("g", member);
    }

    private ShareFetchRequest request(int from, int until) {
        return new ShareFetchRequest()
                .topics(List.of(new FetchTopic()
                        .topicId(topic)
                        .partitions(IntStream.range(from, until)
                                .mapToObj(partition -> new FetchPartition().partitionIndex(partition))
                                .toList())));
    }
}
