package io.rivulet.broker.api;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.fetch.ReadPool;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
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
 * Tells how large partitions are, and the disk that they are on. What a partition takes is summed up from the directories of block
 * files and the tail, on a read thread: some microseconds for each that is asked for.
 */
public final class DescribeLogDirsHandler {
    private static final Logger LOG = LoggerFactory.getLogger(DescribeLogDirsHandler.class);

    /** Of the disk. */
    private static final short SIZES_FROM_VERSION = 4;

    private final Store store;
    private final TopicCatalogue topics;
    private final ReadPool readers;
    private final LongAnswers longAnswers;
    private final Path directory;

    public DescribeLogDirsHandler(
            Store store, TopicCatalogue topics, ReadPool readers, LongAnswers longAnswers, Path directory) {
        this.store = store;
        this.topics = topics;
        this.readers = readers;
        this.longAnswers = longAnswers;
        this.directory = directory.toAbsolutePath();
    }

    /** Health checks rely on it that the log writer is asked: one that hangs answers nothing. */
    void handle(Call call, DescribeLogDirsRequest request) {
        store.whenWriterAnswers(() -> {
            if (hasFailed() || isAboutTheStoreAlone(call, request)) {
                call.answer(response(result().errorCode(error().code())));
            } else {
                readers.read(reader -> describe(call, request, reader), call::failed);
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

    private void describe(Call call, DescribeLogDirsRequest request, StoreReader reader) {
        DescribeLogDirsResult result = result();
        try {
            result.topics(sizes(reader, request.topics()));
            File disk = directory.toFile();
            result.totalBytes(disk.getTotalSpace()).usableBytes(disk.getUsableSpace());
        } catch (IOException | RuntimeException e) {
            LOG.error("The sizes of partitions can't be told", e);
            result.topics(List.of()).errorCode(ErrorCode.KAFKA_STORAGE_ERROR.code());
        }
        longAnswers.answer(call, response(result));
    }

    private List<DescribeLogDirsTopic> sizes(StoreReader reader, @Nullable List<DescribableLogDirTopic> wanted)
            throws IOException {
        List<DescribeLogDirsTopic> answers = new ArrayList<>();
        if (wanted == null) {
            List<Topic> all = new ArrayList<>(topics.size());
            topics.forEach(all::add);
            for (Topic topic : all) {
                DescribeLogDirsTopic answer = begin(topic.name(), answers);
                for (int partition = 0; partition < topic.partitionCount(); partition++) {
                    add(reader, topic, partition, answer.partitions());
                }
            }
            return answers;
        }
        for (DescribableLogDirTopic named : wanted) {
            Topic topic = topics.find(named.topic());
            if (topic != null) {
                DescribeLogDirsTopic answer = begin(topic.name(), answers);
                for (int partition : named.partitions()) {
                    add(reader, topic, partition, answer.partitions());
                }
            }
        }
        return answers;
    }

    private static DescribeLogDirsTopic begin(String name, List<DescribeLogDirsTopic> answers) {
        DescribeLogDirsTopic answer = new DescribeLogDirsTopic().name(name).partitions(new ArrayList<>());
        answers.add(answer);
        return answer;
    }

    private void add(StoreReader reader, Topic topic, int partition, List<DescribeLogDirsPartition> answers)
            throws IOException {
        int queueId = topic.queueId(partition);
        if (queueId != Topic.NO_QUEUE && store.exists(queueId)) {
            answers.add(
                    new DescribeLogDirsPartition().partitionIndex(partition).partitionSize(reader.sizeBytes(queueId)));
        }
    }
}
