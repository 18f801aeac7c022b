package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Attacks with sockets on a broker with little memory. During and after each attack, a good client is served and all
 * threads live.
 */
@Tag("faults")
final class HostileNetworkIT {
    /** The size of a frame that a broker with 256 MiB of direct memory accepts. */
    private static final int LARGE_FRAME_BYTES = 30 << 20;

    private static final int ROUNDS = 200_000;

    @TempDir
    private Path directory;

    private ServerProcess server;
    private Unharmed unharmed;
    private int port;

    private void start(String shell, String... more) throws Exception {
        start(256, shell, more);
    }

    private void start(int directMib, String shell, String... more) throws Exception {
        startUnused(directMib, shell, more);
        unharmed = Unharmed.before(server, port);
    }

    private void startUnused(int directMib, String shell, String... more) throws Exception {
        String[] arguments = new String[more.length + 1];
        arguments[0] = "--override=listeners=PLAINTEXT://localhost:0";
        System.arraycopy(more, 0, arguments, 1, more.length);
        server = ServerProcess.in(directory)
                .shell(shell)
                .java("-Xmx256m", "-XX:MaxDirectMemorySize=" + directMib + "m")
                .start(arguments);
        port = server.awaitReady();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aFullPipeOfLogLinesStopsNoClient() throws Exception {
        // Standard error is a full pipe, except for the lines that JDK 25 writes at a start, so each write blocks.
        start("mkfifo unread && exec 2<>unread && head -c 64512 /dev/zero >&2");
        try (Sockets sockets = new Sockets(port).open(50)) {
            sockets.writeAsFarAsTaken(ByteBuffer.allocate(Integer.BYTES).putInt(0, Integer.MAX_VALUE), ROUNDS);
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> sockets.closedByBroker() == 50);
        }
        unharmed.assertStill();
        server.terminate();
        assertThat(server.awaitEnd()).isZero();
    }

    @Test
    void unfinishedLargeFramesTakeNoMemoryFromOthers() throws Exception {
        start("true");
        try (Sockets attackers = new Sockets(port).open(27)) {
            attackers.writeAsFarAsTaken(unfinishedFrame(ApiKeys.PRODUCE, LARGE_FRAME_BYTES, 12 << 20), ROUNDS);

            SecondClient.assertServes(port);
        }
        assertUnharmed();
    }

    @Test
    void announcedFramesDelayNoOtherClient() throws Exception {
        start("true");
        try (Sockets attackers = new Sockets(port).open(200)) {
            attackers.writeAsFarAsTaken(unfinishedFrame(ApiKeys.PRODUCE, LARGE_FRAME_BYTES, 1000), ROUNDS);

            SecondClient.assertServes(port);
            attackers.writeAsFarAsTaken(ByteBuffer.allocate(1), ROUNDS);
            SecondClient.assertServes(port);
        }
        assertUnharmed();
    }

    /** 50 batches of 90 MiB of zeros each, in less than 5 MB. */
    @Test
    void decompressionBombsStallNoOtherClient() throws Exception {
        start("true");
        try (Admin admin = Admin.create(java.util.Map.of("bootstrap.servers", "localhost:" + port))) {
            admin.createTopics(List.of(new NewTopic("bombed", 50, (short) 1)))
                    .all()
                    .get();
        }
        try (Sockets attackers = new Sockets(port).open(2)) {
            attackers.writeAsFarAsTaken(gzipBombs(50, 90 << 20), ROUNDS);

            SecondClient.assertServes(port);
            SecondClient.assertServes(port);
        }
        assertUnharmed();
    }

    @Test
    void aLeaveGroupRequestOfEightyMegabytesStallsNoOtherClient() throws Exception {
        start(700, "true", "--override=socket.request.max.bytes=" + (90 << 20));
        try (Sockets attackers = new Sockets(port).open(1)) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    attackers.writeAsFarAsTaken(leaveGroup(80 << 20), Integer.MAX_VALUE);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            while (!sending.isDone()) {
                SecondClient.assertServes(port);
            }
            SecondClient.assertServes(port);
            SecondClient.assertServes(port);
        }
        assertUnharmed();
    }

    @Test
    void idleSocketsLeaveFileDescriptorsToTheStore() throws Exception {
        start("ulimit -n 250", "--override=rivulet.tail.bytes=" + (16 << 20));
        try (Wire known = new Wire(port)) {
            known.ask(ApiKeys.API_VERSIONS, (short) 0, ApiKeys.API_VERSIONS.messageType.newRequest());
            try (Sockets attackers = new Sockets(port).open(400)) {
                Awaitility.await().until(() -> attackers.closedByBroker() > 200);
                known.ask(ApiKeys.API_VERSIONS, (short) 0, ApiKeys.API_VERSIONS.messageType.newRequest());
                SecondClient.assertServes(port);
            }
        }
        assertUnharmed();
    }

    /**
     * As long as connections wait in the backlog, a socket that may accept is ready at once. A store with records would
     * end the broker, as it can't open a file.
     */
    @Test
    void aBrokerWithoutFileDescriptorsDoesNotSpin() throws Exception {
        startUnused(256, "ulimit -n 250", "--override=max.connections=100000");
        try (Wire known = new Wire(port);
                Sockets attackers = new Sockets(port).open(400)) {
            known.ask(ApiKeys.API_VERSIONS, (short) 0, ApiKeys.API_VERSIONS.messageType.newRequest());
            Awaitility.await().until(() -> server.err().contains("No connection can be accepted"));
            AtomicReference<Duration> last = new AtomicReference<>(Duration.ZERO);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> {
                        Duration now = server.processorTime();
                        return now.minus(last.getAndSet(now)).toMillis() < 500;
                    });
            known.ask(ApiKeys.API_VERSIONS, (short) 0, ApiKeys.API_VERSIONS.messageType.newRequest());
            attackers.reset();
            Awaitility.await().ignoreExceptions().untilAsserted(() -> SecondClient.assertServes(port));
        }
    }

    @Test
    void resetsAndIncompleteFramesOfThousandsOfConnectionsDisturbNoOtherClient() throws Exception {
        start("ulimit -n 600");
        for (int i = 0; i < 20; i++) {
            try (Sockets attackers = new Sockets(port).open(100)) {
                attackers.writeAsFarAsTaken(ByteBuffer.wrap(new byte[] {0, 0, 1}), 100);
                attackers.reset();
            }
        }
        assertUnharmed();
    }

    /** Each sends ApiVersions again and again, and reads no response. */
    @Test
    void responsesThatAreNotReadTakeNoMemoryFromOthers() throws Exception {
        start("ulimit -n 4000");
        ByteBuffer questions = questions(400);
        try (Sockets attackers = new Sockets(port).open(600)) {
            for (int i = 0; i < 30; i++) {
                attackers.writeAsFarAsTaken(questions, 50);
            }
            Awaitility.await().ignoreExceptions().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                SecondClient.assertServes(port);
            });
        }
        assertUnharmed();
    }

    /**
     * The kernel's send buffers count as memory of the container, which ends when there is not enough. Only the first
     * connections get large ones, and none if another size was chosen.
     */
    @ParameterizedTest
    @CsvSource({
        "0, max.connections=1000, 2048",
        "64, max.connections=1000, 512",
        "0, socket.send.buffer.bytes=102400, 512"
    })
    void theKernelHoldsLittleOfWhatAClientDoesNotRead(int others, String setting, long kibibytes) throws Exception {
        start("ulimit -n 4000", "--override=" + setting);
        ByteBuffer questions = questions(400);
        try (Sockets idle = new Sockets(port).open(others);
                Sockets attackers = new Sockets(port)) {
            idle.writeAsFarAsTaken(questions(1), 50);
            Awaitility.await().until(idle::areAnswered);
            attackers.open(1);
            for (int i = 0; i < 200; i++) {
                attackers.writeAsFarAsTaken(questions, 50);
            }
            AtomicLong last = new AtomicLong();
            Awaitility.await().until(() -> {
                long now = bytesToSend();
                return now > 0 && last.getAndSet(now) == now;
            });
            assertThat(last.get()).isLessThan(kibibytes << 10);
        }
    }

    /** Bytes in the send buffers of the broker's connections. */
    private long bytesToSend() throws IOException {
        String local = String.format(":%04X ", port);
        List<String> sockets = new ArrayList<>(Files.readAllLines(Path.of("/proc/net/tcp")));
        sockets.addAll(Files.readAllLines(Path.of("/proc/net/tcp6")));
        return sockets.stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> (fields[1] + " ").endsWith(local))
                .mapToLong(fields -> Long.parseLong(fields[4].split(":", -1)[0], 16))
                .sum();
    }

    private void assertUnharmed() throws Exception {
        unharmed.assertStill();
        assertThat(server.err()).doesNotContain("OutOfMemoryError", "OutOfDirectMemory");
    }

    /** Requests for ApiVersions, one after the other. */
    private static ByteBuffer questions(int count) {
        ByteBuffer questions = ByteBuffer.allocate(count * 23);
        for (int i = 0; i < count; i++) {
            questions.putInt(19).put(header(ApiKeys.API_VERSIONS, (short) 0)).put(new byte[9]);
        }
        return questions.flip();
    }

    private static byte[] header(ApiKeys key, short version) {
        return ByteBuffer.allocate(10)
                .putShort(key.id)
                .putShort(version)
                .putInt(1)
                .putShort((short) 0)
                .array();
    }

    /** The beginning of a frame of the largest size. */
    private static ByteBuffer unfinishedFrame(ApiKeys key, int frameBytes, int bytes) {
        return ByteBuffer.allocate(Integer.BYTES + bytes)
                .putInt(frameBytes)
                .put(header(key, (short) 8))
                .rewind();
    }

    private static ByteBuffer leaveGroup(int bytes) {
        List<MemberIdentity> members = Collections.nCopies((bytes - 100) / 5, new MemberIdentity().setMemberId("m"));
        return Wire.frame(
                ApiKeys.LEAVE_GROUP,
                (short) 3,
                new LeaveGroupRequestData().setGroupId("nobody").setMembers(members),
                1);
    }

    /** One batch for each partition, each with one record of zeros. */
    private static ByteBuffer gzipBombs(int partitions, int zeros) {
        MemoryRecords bomb = MemoryRecords.withRecords(Compression.gzip().build(), new SimpleRecord(new byte[zeros]));
        TopicProduceData topic = new TopicProduceData()
                .setName("bombed")
                .setPartitionData(IntStream.range(0, partitions)
                        .mapToObj(i -> new PartitionProduceData().setIndex(i).setRecords(bomb))
                        .toList());
        ProduceRequestData request = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(30_000)
                .setTopicData(new TopicProduceDataCollection(List.of(topic).iterator()));
        return Wire.frame(ApiKeys.PRODUCE, (short) 8, request, 1);
    }
}
