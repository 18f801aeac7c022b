package io.rivulet.broker.api.partition;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.TopicWalk;
import io.rivulet.protocol.message.DescribeLogDirsRequest;
import io.rivulet.protocol.message.DescribeLogDirsRequest.DescribableLogDirTopic;
import io.rivulet.protocol.message.DescribeLogDirsResponse;
import io.rivulet.protocol.message.DescribeLogDirsResponse.DescribeLogDirsPartition;
import io.rivulet.protocol.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import io.rivulet.protocol.message.DescribeLogDirsResponse.DescribeLogDirsTopic;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Describes the sizes of partitions and of their disk. The size of a partition is summed up from the directories of block files and the
 * tail, on a read thread: some microseconds for each.
 */
final class DescribeLogDirsHandler implements Handler<DescribeLogDirsRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(DescribeLogDirsHandler.class);

    /** Of the disk. */
    private static final short SIZES_FROM_VERSION = 4;

    private static final long HEAP_BYTES_PER_TOPIC = 400;
    private static final long HEAP_BYTES_PER_QUEUE = 12;

    private final Store store;
    private final TopicCatalogue topics;
    private final LongAnswers longAnswers;
    private final Path directory;

    DescribeLogDirsHandler(Store store, TopicCatalogue topics, LongAnswers longAnswers, Path directory) {
        this.store = store;
        this.topics = topics;
        this.longAnswers = longAnswers;
        this.directory = directory.toAbsolutePath();
    }

    /** Asks the log writer, because health checks rely on it: there is no answer while the log writer hangs. */
    @Override
    public void handle(Call call, DescribeLogDirsRequest request) {
        store.whenWriterAnswers(() -> {
            if (hasFailed() || isAboutTheStoreAlone(call, request)) {
                call.answer(response(result().errorCode(error().code())));
            } else {
                longAnswers.make(call, heapBytes(request), reader -> describe(request, reader));
            }
        });
    }

    /** Needs no read thread: those may be busy for longer than a health check waits. */
    private static boolean isAboutTheStoreAlone(Call call, DescribeLogDirsRequest request) {
        return call.version() < SIZES_FROM_VERSION
                && request.topics() != null
                && request.topics().isEmpty();
    }

    /** Log-writer thread. */
    private boolean hasFailed() {
        return store.failure() != null || store.isStalled();
    }

    /** As Kafka says of a directory that is offline. Log-writer thread. */
    private ErrorCode error() {
        return hasFailed() ? ErrorCode.KAFKA_STORAGE_ERROR : ErrorCode.NONE;
    }

    private DescribeLogDirsResult result() {
        return new DescribeLogDirsResult()
                .logDir(directory.toString())
                .isCordoned(false)
                .topics(List.of());
    }

    private static DescribeLogDirsResponse response(DescribeLogDirsResult result) {
        return new DescribeLogDirsResponse().results(List.of(result));
    }

    private long heapBytes(DescribeLogDirsRequest request) {
        return request.topics() == null
                ? topics.size() * HEAP_BYTES_PER_TOPIC + store.liveQueues() * HEAP_BYTES_PER_QUEUE
                : 0; // as much as the request
    }

    private DescribeLogDirsResponse describe(DescribeLogDirsRequest request, StoreReader reader) {
        DescribeLogDirsResult result = result();
        try {
            result.topics(sizes(reader, request.topics()));
            File disk = directory.toFile();
            result.totalBytes(disk.getTotalSpace()).usableBytes(disk.getUsableSpace());
        } catch (IOException | RuntimeException e) {
            LOG.error("The sizes of partitions can't be read", e);
            result.topics(List.of()).errorCode(ErrorCode.KAFKA_STORAGE_ERROR.code());
        }
        return response(result);
    }

    private List<DescribeLogDirsTopic> sizes(StoreReader reader, @Nullable List<DescribableLogDirTopic> wanted)
            throws IOException {
        List<DescribeLogDirsTopic> answers = new ArrayList<>();
        if (wanted == null) {
            for (TopicWalk walk = topics.walk(); walk.hasNext(); ) {
                Topic topic = walk.next();
                if (topic != null) {
                    answers.add(sizes(reader, topic, null));
                }
            }
            return answers;
        }
        for (DescribableLogDirTopic named : wanted) {
            Topic topic = topics.find(named.topic());
            if (topic != null) {
                answers.add(sizes(reader, topic, named.partitions()));
            }
        }
        return answers;
    }

    /** @param wanted null for all partitions */
    private DescribeLogDirsTopic sizes(StoreReader reader, Topic topic, int @Nullable [] wanted) throws IOException {
        int most = wanted == null ? topic.partitionCount() : wanted.length;
        int[] partitions = new int[most];
        long[] bytes = new long[most];
        int count = 0;
        for (int i = 0; i < most; i++) {
            int partition = wanted == null ? i : wanted[i];
            int queueId = topic.queueId(partition);
            if (queueId != Topic.NO_QUEUE && store.exists(queueId)) {
                partitions[count] = partition;
                bytes[count++] = reader.sizeBytes(queueId);
            }
        }
        // An object for each of a million partitions would take more than their sizes.
        return new DescribeLogDirsTopic()
                .name(topic.name())
                .partitions(new LazyList<>(
                        count,
                        i -> new DescribeLogDirsPartition()
                                .partitionIndex(partitions[i])
                                .partitionSize(bytes[i])));
    }
}
