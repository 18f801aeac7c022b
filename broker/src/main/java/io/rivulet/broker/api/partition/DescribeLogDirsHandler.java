package io.rivulet.broker.api.partition;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicWalk;
import io.rivulet.protocol.message.DescribeLogDirsRequest;
import io.rivulet.protocol.message.DescribeLogDirsRequest.DescribableLogDirTopic;
import io.rivulet.protocol.message.DescribeLogDirsResponse;
import io.rivulet.protocol.message.DescribeLogDirsResponse.DescribeLogDirsPartition;
import io.rivulet.protocol.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import io.rivulet.protocol.message.DescribeLogDirsResponse.DescribeLogDirsTopic;
import io.rivulet.protocol.wire.Message;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.LogLimit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Describes the sizes of partitions and of their disk. A read thread adds up the size of a partition from the
 * directories of block files and the tail, which takes some microseconds.
 */
record DescribeLogDirsHandler(ApiParts parts)
        implements Handler<DescribeLogDirsRequest>, Refusal<DescribeLogDirsRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(DescribeLogDirsHandler.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    /** The first version with the sizes of the disk. */
    private static final short SIZES_FROM_VERSION = 4;
    /** The first version with an error of the whole request. An older client gets an empty answer, as in Kafka. */
    private static final short ERROR_FROM_VERSION = 3;

    private static final long HEAP_BYTES_PER_TOPIC = 400;
    private static final long HEAP_BYTES_PER_QUEUE = 12;

    private Path directory() {
        return parts.config().dataDirectory().toAbsolutePath();
    }

    /** The name of the only data directory, as clients see it. */
    static String directory(ApiParts parts) {
        return new DescribeLogDirsHandler(parts).directory().toString();
    }

    /** Waits for the log writer: health checks rely on it that there is no answer while the log writer hangs. */
    @Override
    public void handle(Call call, DescribeLogDirsRequest request) {
        parts.store().whenWriterAnswers(() -> {
            if (hasFailed() || isAboutTheStoreAlone(call, request)) {
                call.answer(response(result().errorCode(error().code())));
            } else {
                parts.longAnswers().make(call, heapBytes(request), reader -> describe(request, reader));
            }
        });
    }

    @Override
    public Message refuse(DescribeLogDirsRequest request, short version, ErrorCode error) {
        return new DescribeLogDirsResponse().errorCode(version < ERROR_FROM_VERSION ? 0 : error.code());
    }

    /** Such an answer needs no read thread: those may be busy for longer than a health check waits. */
    private static boolean isAboutTheStoreAlone(Call call, DescribeLogDirsRequest request) {
        return call.version() < SIZES_FROM_VERSION
                && request.topics() != null
                && request.topics().isEmpty();
    }

    /** Log-writer thread. */
    private boolean hasFailed() {
        return parts.store().failure() != null || parts.store().isStalled();
    }

    /** Kafka's error for a directory that is offline. Log-writer thread. */
    private ErrorCode error() {
        return hasFailed() ? ErrorCode.KAFKA_STORAGE_ERROR : ErrorCode.NONE;
    }

    private DescribeLogDirsResult result() {
        return new DescribeLogDirsResult()
                .logDir(directory().toString())
                .isCordoned(false)
                .topics(List.of());
    }

    private static DescribeLogDirsResponse response(DescribeLogDirsResult result) {
        return new DescribeLogDirsResponse().results(List.of(result));
    }

    private long heapBytes(DescribeLogDirsRequest request) {
        return request.topics() == null
                ? parts.topics().size() * HEAP_BYTES_PER_TOPIC + parts.store().liveQueues() * HEAP_BYTES_PER_QUEUE
                : 0; // the request has reserved as much
    }

    private DescribeLogDirsResponse describe(DescribeLogDirsRequest request, StoreReader reader) {
        DescribeLogDirsResult result = result();
        try {
            result.topics(sizes(reader, request.topics()));
            File disk = directory().toFile();
            result.totalBytes(disk.getTotalSpace()).usableBytes(disk.getUsableSpace());
        } catch (IOException | RuntimeException e) {
            LIMIT.log(more -> LOG.error("The sizes of partitions can't be read{}", more, e));
            result.topics(List.of()).errorCode(ErrorCode.KAFKA_STORAGE_ERROR.code());
        }
        return response(result);
    }

    private List<DescribeLogDirsTopic> sizes(StoreReader reader, @Nullable List<DescribableLogDirTopic> wanted)
            throws IOException {
        List<DescribeLogDirsTopic> answers = new ArrayList<>();
        if (wanted == null) {
            for (TopicWalk walk = parts.topics().walk(); walk.hasNext(); ) {
                Topic topic = walk.next();
                if (topic != null) {
                    answers.add(sizes(reader, topic, null));
                }
            }
            return answers;
        }
        for (DescribableLogDirTopic named : wanted) {
            Topic topic = parts.topics().find(named.topic());
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
            if (queueId != Topic.NO_QUEUE && parts.store().exists(queueId)) {
                partitions[count] = partition;
                bytes[count++] = reader.sizeBytes(queueId);
            }
        }
        // Objects are made when they are encoded: those of a million partitions would take more heap than the sizes.
        return new DescribeLogDirsTopic()
                .name(topic.name())
                .partitions(new LazyList<>(
                        count,
                        i -> new DescribeLogDirsPartition()
                                .partitionIndex(partitions[i])
                                .partitionSize(bytes[i])));
    }
}
