package io.rivulet.broker.produce;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.store.Store;
import io.rivulet.store.time.StoreClock;
import java.io.File;
import java.util.BitSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks batches, appends the valid ones to the store, and answers when they are as durable as acks demands. */
public final class ProduceHandler implements Handler<ProduceRequest>, AutoCloseable {
    private static final short TOPIC_IDS_FROM_VERSION = 13;
    /** So that a producer does not send the same records again and again. */
    private static final int WAIT_FOR_SPACE_MILLIS = 1000;

    private final Store store;
    private final TopicCatalogue topics;
    private final Recompressor recompressor;
    private final LongChecks checks;
    private final int maxDecompressedBytes;
    private final @Nullable DiskHeadroom headroom;
    private final @Nullable TopicTraffic traffic;

    /**
     * @param readers run questions to the disk
     * @param traffic what is counted; null if nothing is counted
     */
    public ProduceHandler(
            BrokerConfig config,
            Store store,
            TopicCatalogue topics,
            Environment environment,
            ReadPool readers,
            @Nullable TopicTraffic traffic) {
        this.store = store;
        this.topics = topics;
        this.traffic = traffic;
        this.headroom = headroom(config, readers, environment.clock());
        this.maxDecompressedBytes = config.maxDecompressedBytes();
        this.recompressor = new Recompressor(config.maxRequestBytes(), maxDecompressedBytes, environment);
        this.checks = new LongChecks(maxDecompressedBytes, environment);
    }

    /** Whether the disk has too little space for more records. Any thread. */
    public boolean isRefusing() {
        return headroom != null && headroom.isShort();
    }

    private static RefusedException noSpace() {
        return new RefusedException(
                ErrorCode.KAFKA_STORAGE_ERROR, "the disk of the broker has less free space than rivulet.disk.headroom");
    }

    private static @Nullable DiskHeadroom headroom(BrokerConfig config, ReadPool readers, StoreClock clock) {
        File directory = config.dataDirectory().toFile();
        return config.diskHeadroom().isNone()
                ? null
                : new DiskHeadroom(
                        config.diskHeadroom(),
                        new DirectorySpace(directory),
                        look -> readers.read(reader -> look.run(), failure -> {}),
                        clock::nanos);
    }

    private record DirectorySpace(File directory) implements DiskHeadroom.Space {
        @Override
        public long usable() {
            return directory.getUsableSpace();
        }

        @Override
        public long total() {
            return directory.getTotalSpace();
        }
    }

    public Route route() {
        return Route.of(ApiKey.PRODUCE, this)
                .at(Route.Place.EVENT_LOOP)
                // librdkafka up to 2.8 compresses only if the broker offers version 0 (KAFKA-18659).
                .advertisedFrom(0)
                .keepingFrame()
                .pipelined(Route.Lane.WRITES);
    }

    @Override
    public void handle(Call call, ProduceRequest request) {
        boolean byId = call.version() >= TOPIC_IDS_FROM_VERSION;
        @Nullable Topic[] found = find(request, byId);
        BitSet denied = call.access().isUnlimited() ? null : removeDenied(found, call.access(), request, byId);
        if (isRefusing()) {
            call.letClientWait(WAIT_FOR_SPACE_MILLIS);
            check(call, request, found, denied, data -> noSpace());
            return;
        }
        for (int i = 0; i < found.length; i++) {
            if (Recompression.isWanted(found[i], request.topicData().get(i))) {
                recompressor.rewrite(call, request, found, rewritten -> {
                    call.replaceFrame(rewritten.frame());
                    check(call, rewritten.request(), found, denied, rewritten.refusals()::get);
                });
                return;
            }
        }
        check(call, request, found, denied, data -> null);
    }

    private void check(
            Call call,
            ProduceRequest request,
            @Nullable Topic[] found,
            @Nullable BitSet denied,
            Function<PartitionProduceData, @Nullable RefusedException> refusals) {
        checks.check(new ProduceCheck(call, store, request, found, denied, refusals, maxDecompressedBytes, traffic));
    }

    private @Nullable Topic[] find(ProduceRequest request, boolean byId) {
        @Nullable Topic[] found = new Topic[request.topicData().size()];
        for (int i = 0; i < found.length; i++) {
            TopicProduceData sent = request.topicData().get(i);
            found[i] = byId ? topics.find(sent.topicId()) : topics.find(sent.name());
        }
        return found;
    }

    /** Removes the topics that the client may not write: no work is done for them. An unknown id has no name. */
    private static BitSet removeDenied(@Nullable Topic[] found, Access access, ProduceRequest request, boolean byId) {
        BitSet denied = new BitSet();
        for (int i = 0; i < found.length; i++) {
            Topic topic = found[i];
            String name =
                    topic != null ? topic.name() : request.topicData().get(i).name();
            if ((topic != null || !byId) && !access.mayTopic(Operation.WRITE, name)) {
                denied.set(i);
                found[i] = null;
            }
        }
        return denied;
    }

    @Override
    public void close() {
        checks.close();
        recompressor.close();
    }
}
