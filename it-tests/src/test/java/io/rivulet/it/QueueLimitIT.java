package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Concurrent requests do not exceed rivulet.max.queues together. */
final class QueueLimitIT {
    private static final int REQUESTS = 40;
    private static final int PARTITIONS = 1_900_000;
    private static final short VERSION = 7;

    @TempDir
    private Path directory;

    @Test
    void ofFortyConcurrentRequestsOneIsAdmittedAndTheStoreOpensAgain() throws Exception {
        try (ServerProcess server = start()) {
            int port = server.awaitReady();
            Unharmed unharmed = Unharmed.before(server, port);
            assertThat(errorsOfAll(port)).containsOnlyOnce(Errors.NONE);
            unharmed.assertStill();
            server.kill();
        }
        try (ServerProcess again = start()) {
            Unharmed.before(again, again.awaitReady()).assertStill();
        }
    }

    /** Each on its own connection, because requests of one connection run one after the other. */
    private static List<Errors> errorsOfAll(int port) throws Exception {
        List<Wire> wires = new ArrayList<>();
        List<Errors> errors = new ArrayList<>();
        try {
            for (int i = 0; i < REQUESTS; i++) {
                wires.add(new Wire(port));
            }
            for (int i = 0; i < REQUESTS; i++) {
                wires.get(i).send(ApiKeys.CREATE_TOPICS, VERSION, request("t" + i));
            }
            for (Wire wire : wires) {
                CreateTopicsResponseData answer =
                        (CreateTopicsResponseData) wire.receive(ApiKeys.CREATE_TOPICS, VERSION, 1);
                errors.add(Errors.forCode(answer.topics().iterator().next().errorCode()));
            }
        } finally {
            for (Wire wire : wires) {
                wire.close();
            }
        }
        assertThat(errors).containsOnly(Errors.NONE, Errors.INVALID_PARTITIONS).hasSize(REQUESTS);
        return errors;
    }

    private ServerProcess start() throws Exception {
        return ServerProcess.start(directory, "--override=listeners=PLAINTEXT://localhost:0");
    }

    private static CreateTopicsRequestData request(String name) {
        CreatableTopicCollection topics = new CreatableTopicCollection();
        topics.add(
                new CreatableTopic().setName(name).setNumPartitions(PARTITIONS).setReplicationFactor((short) 1));
        return new CreateTopicsRequestData().setTopics(topics);
    }
}
