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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What sockets can do to a broker that has little: during each attack, and after it, a client that does nothing wrong is served, and all
 * threads live.
 */
final class HostileNetworkIT {
    /** What a broker with 256 MiB of direct memory still takes. */
    private static final int LARGE_FRAME_BYTES = 30 << 20;

    /** While an attack goes on, on a machine that others use too. After it: {@link Unharmed}. */
    private static final Duration SOON = Duration.ofSeconds(4);

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
        String[] arguments = new String[more.length + 1];
        arguments[0] = "--override=listeners=PLAINTEXT://localhost:0";
        System.arraycopy(more, 0, arguments, 1, more.length);
        server = ServerProcess.in(directory)
                .shell(shell)
                .java("-Xmx256m", "-XX:MaxDirectMemorySize=" + directMib + "m")
                .start(arguments);
        port = server.awaitReady();
        unharmed = Unharmed.before(server, port);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void logLinesThatNobodyReadsStopNoClient() throws Exception {
        // Standard error is a full pipe, but for the few lines that JDK 25 writes at a start: a write waits for ever.
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

            SecondClient.assertServes(port, SOON);
        }
        assertUnharmed();
    }

    @Test
    void framesThatAreOnlyAnnouncedHoldUpNobody() throws Exception {
        start("true");
        try (Sockets attackers = new Sockets(port).open(200)) {
            attackers.writeAsFarAsTaken(unfinishedFrame(ApiKeys.PRODUCE, LARGE_FRAME_BYTES, 1000), ROUNDS);

            SecondClient.assertServes(port, SOON);
            attackers.writeAsFarAsTaken(ByteBuffer.allocate(1), ROUNDS);
            SecondClient.assertServes(port, SOON);
        }
        assertUnharmed();
    }

    /** 50 batches of 90 MiB of zeros each, in less than 5 MB. */
    @Test
    void batchesThatGrowWhenDecompressedStallNobody() throws Exception {
        start("true");
        try (Admin admin = Admin.create(java.util.Map.of("bootstrap.servers", "localhost:" + port))) {
            admin.createTopics(List.of(new NewTopic("bombed", 50, (short) 1)))
                    .all()
                    .get();
        }
        try (Sockets attackers = new Sockets(port).open(2)) {
            attackers.writeAsFarAsTaken(gzipBombs(50, 90 << 20), ROUNDS);

            SecondClient.assertServes(port, SOON);
            SecondClient.assertServes(port, SOON);
        }
        assertUnharmed();
    }

    @Test
    void aRequestOfEightyMegabytesToLeaveAGroupStallsNobody() throws Exception {
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
                SecondClient.assertServes(port, SOON);
            }
            SecondClient.assertServes(port, SOON);
            SecondClient.assertServes(port, SOON);
        }
        assertUnharmed();
    }

    @Test
    void idleSocketsLeaveFileDescriptorsToTheStore() throws Exception {
        start("ulimit -n 250", "--override=rivulet.tail.bytes=" + (16 << 20));
        try (Wire known = new Wire(port);
                Sockets attackers = new Sockets(port).open(400)) {
            known.ask(ApiKeys.API_VERSIONS, (short) 0, ApiKeys.API_VERSIONS.messageType.newRequest());
            Awaitility.await().until(() -> attackers.closedByBroker() > 200);
        }
        assertUnharmed();
    }

    @Test
    void resetsAndHalfFramesOfThousandsOfConnectionsDisturbNobody() throws Exception {
        start("ulimit -n 600");
        for (int i = 0; i < 20; i++) {
            try (Sockets attackers = new Sockets(port).open(100)) {
                attackers.writeAsFarAsTaken(ByteBuffer.wrap(new byte[] {0, 0, 1}), 100);
                attackers.reset();
            }
        }
        assertUnharmed();
    }

    /** Each of them asks again and again what the broker speaks, and reads none of the answers. */
    @Test
    void answersThatNobodyReadsTakeNoMemoryFromOthers() throws Exception {
        start("ulimit -n 4000");
        ByteBuffer questions = ByteBuffer.allocate(400 * 23);
        for (int i = 0; i < 400; i++) {
            questions.putInt(19).put(header(ApiKeys.API_VERSIONS, (short) 0)).put(new byte[9]);
        }
        try (Sockets attackers = new Sockets(port).open(600)) {
            for (int i = 0; i < 30; i++) {
                attackers.writeAsFarAsTaken(questions.duplicate().flip(), 50);
            }
            Awaitility.await().ignoreExceptions().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                SecondClient.assertServes(port, SOON);
            });
        }
        assertUnharmed();
    }

    /** What the kernel holds is nobody's memory until it is short of it: a container ends then. */
    @Test
    void theKernelHoldsLittleOfWhatAClientDoesNotRead() throws Exception {
        start("ulimit -n 4000");
        ByteBuffer questions = ByteBuffer.allocate(400 * 23);
        while (questions.hasRemaining()) {
            questions.putInt(19).put(header(ApiKeys.API_VERSIONS, (short) 0)).put(new byte[9]);
        }
        try (Sockets attackers = new Sockets(port).open(1)) {
            for (int i = 0; i < 100; i++) {
                attackers.writeAsFarAsTaken(questions.duplicate().flip(), 50);
            }
            AtomicLong last = new AtomicLong();
            Awaitility.await().until(() -> {
                long now = bytesToSend();
                return now > 0 && last.getAndSet(now) == now;
            });
            assertThat(last.get()).isLessThan(512 << 10);
        }
    }

    /** Of the broker's connections, as the kernel says. */
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

    private static byte[] header(ApiKeys key, short version) {
        return ByteBuffer.allocate(10)
                .putShort(key.id)
                .putShort(version)
                .putInt(1)
                .putShort((short) 0)
                .array();
    }

    /** Announces the largest frame that there may be, and has so much of it. */
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

    /** One batch for each of as many partitions, each of one record of zeros. */
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
