package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.rivulet.broker.access.AccessControl;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.LongRequests;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.Route.Lane;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.config.QuotaSettings;
import io.rivulet.broker.quota.ClientQuotas;
import io.rivulet.broker.quota.QuotaRules;
import io.rivulet.broker.quota.RulesOfATest;
import io.rivulet.broker.sasl.Logins;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.HeartbeatResponse;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.Message;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls are started and answered in the order of their requests. Those of a lane are in progress together. */
final class ConnectionTest {
    private static final int LARGEST = 1 << 20;

    @TempDir
    private Path directory;

    private final FailureLatch failures = new FailureLatch();
    private final RequestMemory memory = new RequestMemory(3L * LARGEST, LARGEST, 1000, System::nanoTime);
    private final List<Call> started = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ReadGate gate = new ReadGate(channel);
    private Store store;
    private ReadPool readers;
    private final QuotaRules rules = new QuotaRules();
    private final AtomicLong nanos = new AtomicLong();
    private ClientQuotas quotas;
    private boolean throwing;
    private Predicate<ApiKey> allowed = key -> true;

    @BeforeEach
    void open() throws Exception {
        store = LocalStore.open(StoreConfig.DEFAULT, StoreEnvironment.local(directory), Attachments.of(List.of()));
        readers = new ReadPool(store, 1, failures);
        BrokerConfig config = BrokerConfig.of(Map.of("log.dirs", directory.toString()));
        ResponseMemory answers = new ResponseMemory(LARGEST, Integer.MAX_VALUE, System::nanoTime);
        RouteTable routes = new RouteTable();
        routes.add(List.of(
                Route.of(ApiKey.API_VERSIONS, this::start).pipelined(Lane.WRITES),
                Route.of(ApiKey.PRODUCE, this::start).pipelined(Lane.WRITES),
                Route.of(ApiKey.HEARTBEAT, this::start).pipelined(Lane.TRANSACTIONS),
                Route.of(ApiKey.METADATA, this::start)));
        quotas = new ClientQuotas(rules, QuotaSettings.of(config), nanos::get);
        ServerContext server = new ServerContext(
                config,
                new DefaultChannelGroup(GlobalEventExecutor.INSTANCE),
                new ConnectionLimits(config::connections, System::nanoTime),
                memory,
                null,
                answers,
                null,
                new ClosingLog(System::nanoTime),
                new SlowRequests(0, System::nanoTime),
                failures);
        Service service = new Service(
                routes,
                new LongRequests(readers, new LongAnswers(readers, answers, answers, LARGEST), LARGEST),
                quotas,
                new ListenerSecurity(
                        new Encryption(config, failures),
                        new Logins(config, new ScramUsers(), failures),
                        AccessControl.NONE),
                config::connections,
                key -> allowed.test(key));
        Listener listener = new Listener("PLAINTEXT", "", 0, "localhost", 9092, null, null);
        LongestIdle.Activity activity = server.limits().idle().add(channel);
        channel.pipeline().addLast(new Connection(server, service, listener, null, gate, activity));
    }

    private void start(Call call, Message request) {
        started.add(call);
        if (throwing) {
            throw new IllegalStateException("a bug");
        }
    }

    @AfterEach
    void close() throws Exception {
        channel.finishAndReleaseAll();
        readers.close();
        store.close();
        assertThat(memory.usedBytes()).isZero();
        assertThat(failures.cause()).isNull();
    }

    /** It may have lost the shard since the answer was made. */
    @Test
    void anAnswerThatMayBeOldIsNotSent() {
        allowed = key -> key == ApiKey.PRODUCE;
        AtomicInteger freed = new AtomicInteger();
        send(ApiKey.METADATA, 1, new MetadataRequest());
        ByteBuf borrowed = Unpooled.buffer(1);
        started.get(0).answer(new MetadataResponse(), List.of(borrowed), freed::incrementAndGet);

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.<Object>readOutbound()).isNull();
        assertThat(borrowed.refCnt()).isZero();
        assertThat(freed).hasValue(1);
    }

    @Test
    void answersAreSentInTheOrderOfTheRequests() {
        send(ApiKey.API_VERSIONS, 1, new ApiVersionsRequest());
        send(ApiKey.API_VERSIONS, 2, new ApiVersionsRequest());

        started.get(1).answer(new ApiVersionsResponse());
        assertThat(channel.<Object>readOutbound()).isNull();
        started.get(0).answer(new ApiVersionsResponse());

        assertThat(nextAnswer()).isEqualTo(1);
        assertThat(nextAnswer()).isEqualTo(2);
    }

    @Test
    void aDiscardedCallDoesNotDelayLaterAnswers() {
        send(ApiKey.API_VERSIONS, 1, new ApiVersionsRequest());
        send(ApiKey.API_VERSIONS, 2, new ApiVersionsRequest());

        started.get(1).answer(new ApiVersionsResponse());
        started.get(0).discard();

        assertThat(nextAnswer()).isEqualTo(2);
    }

    @Test
    void noOtherCallIsStartedDuringAnExclusiveCall() {
        send(ApiKey.METADATA, 1, new MetadataRequest());
        assertThat(gate.isOpen()).isFalse();

        started.get(0).answer(new MetadataResponse());
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void aRequestWaitsForEarlierCallsOfAnotherLane() {
        send(ApiKey.API_VERSIONS, 1, new ApiVersionsRequest());
        send(ApiKey.API_VERSIONS, 2, new ApiVersionsRequest());
        send(ApiKey.HEARTBEAT, 3, new HeartbeatRequest());
        assertThat(started).hasSize(2);
        assertThat(gate.isOpen()).isFalse();

        started.get(0).answer(new ApiVersionsResponse());
        assertThat(started).hasSize(2);
        started.get(1).answer(new ApiVersionsResponse());
        assertThat(started).hasSize(3);
        assertThat(gate.isOpen()).isTrue();

        send(ApiKey.METADATA, 4, new MetadataRequest());
        assertThat(started).hasSize(3);
        started.get(2).answer(new HeartbeatResponse());
        assertThat(started).hasSize(4);
    }

    @Test
    void aRequestThatWaitsDoesNotStartWhileTheConnectionIsPaused() {
        send(ApiKey.API_VERSIONS, 1, new ApiVersionsRequest());
        Call call = started.get(0);
        send(ApiKey.METADATA, 2, new MetadataRequest());
        call.origin().pause();
        call.discard();
        assertThat(started).hasSize(1);

        call.origin().resume();

        assertThat(started).hasSize(2);
    }

    @Test
    void aRequestThatWaitsIsFreedWithItsConnection() {
        send(ApiKey.API_VERSIONS, 1, new ApiVersionsRequest());
        send(ApiKey.METADATA, 2, new MetadataRequest());
        assertThat(memory.usedBytes()).isPositive();

        channel.close();
        started.get(0).discard();

        assertThat(memory.usedBytes()).isZero();
        assertThat(started).hasSize(1);
    }

    @Test
    void aConnectionThatClosesSoonSendsItsAnswerAndReadsNothingMore() {
        channel.freezeTime();
        send(ApiKey.API_VERSIONS, 1, new ApiVersionsRequest());
        Call call = started.get(0);

        call.answer(new ApiVersionsResponse(), List.of(), () -> call.origin().closeSoon("login failed"));
        assertThat(nextAnswer()).isEqualTo(1);
        passMillis(Connection.CLOSE_SOON_MILLIS - 1);
        assertThat(channel.isOpen()).isTrue();
        assertThat(gate.isOpen()).isFalse();

        passMillis(1);
        assertThat(channel.isOpen()).isFalse();
        assertThat(gate.isOpen()).isFalse();
    }

    private void passMillis(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void aRequestThatIsNotServedClosesItsConnectionAfterTheEarlierAnswers() {
        send(ApiKey.API_VERSIONS, 1, new ApiVersionsRequest());
        send(ApiKey.LIST_GROUPS, 2, new ApiVersionsRequest());
        assertThat(channel.isOpen()).isTrue();

        started.get(0).answer(new ApiVersionsResponse());

        assertThat(nextAnswer()).isEqualTo(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void pipelinedCallsAreStartedTogetherUpToALimit() {
        for (int i = 0; i < 63; i++) {
            send(ApiKey.API_VERSIONS, i, new ApiVersionsRequest());
            channel.runPendingTasks();
        }
        assertThat(gate.isOpen()).isTrue();
        send(ApiKey.API_VERSIONS, 63, new ApiVersionsRequest());
        channel.runPendingTasks();
        assertThat(gate.isOpen()).isFalse();
        started.forEach(call -> call.answer(new ApiVersionsResponse()));
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void aPausedConnectionStartsNoCallsUntilItIsResumedAsOften() {
        send(ApiKey.API_VERSIONS, 1, new ApiVersionsRequest());
        Call call = started.get(0);
        call.origin().pause();
        call.origin().pause();
        call.answer(new ApiVersionsResponse());
        assertThat(gate.isOpen()).isFalse();
        call.origin().resume();
        assertThat(gate.isOpen()).isFalse();
        call.origin().resume();
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void aHandlerThatThrowsClosesItsConnection() {
        throwing = true;
        send(ApiKey.API_VERSIONS, 1, new ApiVersionsRequest());

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aRequestThatIsNotServedClosesItsConnection() {
        send(ApiKey.LIST_GROUPS, 1, new ApiVersionsRequest());

        assertThat(started).isEmpty();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aClientThatExceedsItsQuotaIsAnsweredAtOnceAndNotReadForAWhile() {
        limitTo(10);
        send(ApiKey.PRODUCE, 1, new ProduceRequest().transactionalId("x".repeat(200)));
        send(ApiKey.METADATA, 2, new MetadataRequest());
        ProduceResponse answer = new ProduceResponse();

        started.get(0).answer(answer);

        assertThat(nextAnswer()).isEqualTo(1);
        assertThat(answer.throttleTimeMs()).isPositive();
        assertThat(gate.isOpen()).isFalse();
        pass(answer.throttleTimeMs() - 1);
        assertThat(started).hasSize(1);
        pass(1);
        assertThat(started).hasSize(2);
        started.get(1).answer(new MetadataResponse());
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void aClientThatHadToWaitLatelyHasOneCallAtATime() {
        limitTo(10);
        send(ApiKey.PRODUCE, 1, new ProduceRequest().transactionalId("x".repeat(200)));
        ProduceResponse answer = new ProduceResponse();
        started.get(0).answer(answer);
        pass(answer.throttleTimeMs());

        send(ApiKey.PRODUCE, 2, new ProduceRequest());
        assertThat(started).hasSize(2);
        assertThat(gate.isOpen()).isFalse();
    }

    @Test
    void aClientThatWaitsIsReadAgainSoonAfterAChangeOfRules() {
        limitTo(1);
        send(ApiKey.PRODUCE, 1, new ProduceRequest().transactionalId("x".repeat(200)));
        started.get(0).answer(new ProduceResponse());
        pass(5000);
        assertThat(gate.isOpen()).isFalse();

        RulesOfATest.remove(rules, Map.of("user", "ANONYMOUS"), "producer_byte_rate");
        pass(1000);

        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void aClientThatWaitsAndDisconnectsLeavesNoTimer() {
        limitTo(1);
        send(ApiKey.PRODUCE, 1, new ProduceRequest().transactionalId("x".repeat(200)));
        started.get(0).answer(new ProduceResponse());
        assertThat(channel.runScheduledPendingTasks()).isPositive();

        channel.close();
        channel.runPendingTasks();

        assertThat(channel.runScheduledPendingTasks()).isNegative();
    }

    @Test
    void aProducerThatWantsNoAnswerWaitsToo() {
        limitTo(10);
        send(ApiKey.PRODUCE, 1, new ProduceRequest().transactionalId("x".repeat(200)));

        started.get(0).discard();

        assertThat(gate.isOpen()).isFalse();
    }

    private void limitTo(double bytesPerSecond) {
        channel.freezeTime();
        RulesOfATest.set(rules, Map.of("user", "ANONYMOUS"), "producer_byte_rate", bytesPerSecond);
    }

    /** In steps of a second or less, as the timer of a connection that waits. */
    private void pass(long millis) {
        for (long left = millis; left > 0; left -= 1000) {
            long step = Math.min(left, 1000);
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(step));
            channel.advanceTimeBy(step, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    private int nextAnswer() {
        Response response = channel.readOutbound();
        return response.call().correlationId();
    }

    private void send(ApiKey key, int correlationId, Message body) {
        short version = key.lowestVersion();
        ByteBuf bytes = Unpooled.buffer();
        new RequestHeader()
                .requestApiKey(key.id())
                .requestApiVersion(version)
                .correlationId(correlationId)
                .clientId("test")
                .write(bytes, key.requestHeaderVersion(version));
        body.write(bytes, version);
        RequestMemory.Share share = memory.share(bytes.readableBytes(), () -> {}, () -> {});
        share.takeAnyway(bytes.readableBytes());
        channel.writeInbound(new Frame(bytes, share));
    }
}
