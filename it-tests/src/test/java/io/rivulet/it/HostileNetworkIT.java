package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.protocol.ApiKeys;
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
        // Standard error is a pipe that is full: a write to it waits for ever.
        start("mkfifo unread && exec 2<>unread && head -c 65536 /dev/zero >&2");
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
        byte[] group = "nobody".getBytes(StandardCharsets.UTF_8);
        int members = (bytes - 100) / 5;
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + 10 + 2 + group.length + 4 + members * 5);
        frame.putInt(frame.capacity() - Integer.BYTES).put(header(ApiKeys.LEAVE_GROUP, (short) 3));
        frame.putShort((short) group.length).put(group).putInt(members);
        for (int i = 0; i < members; i++) {
            frame.putShort((short) 1).put((byte) 'm').putShort((short) -1);
        }
        return frame.flip();
    }

    /** One batch for each of as many partitions, each of one record of zeros. */
    private static ByteBuffer gzipBombs(int partitions, int zeros) throws IOException {
        byte[] batch = gzipBomb(zeros);
        byte[] topic = "bombed".getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(200 + partitions * (batch.length + 8));
        frame.putInt(0).put(header(ApiKeys.PRODUCE, (short) 8));
        frame.putShort((short) -1).putShort((short) -1).putInt(30_000);
        frame.putInt(1).putShort((short) topic.length).put(topic).putInt(partitions);
        for (int i = 0; i < partitions; i++) {
            frame.putInt(i).putInt(batch.length).put(batch);
        }
        frame.putInt(0, frame.position() - Integer.BYTES);
        return frame.flip();
    }

    private static byte[] gzipBomb(int zeros) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            ByteBuffer record = ByteBuffer.allocate(64);
            int bodyBytes = 1 + 1 + 1 + 1 + varintBytes(zeros) + zeros + 1;
            putVarint(record, bodyBytes);
            record.put((byte) 0).put((byte) 0).put((byte) 0).put((byte) 1);
            putVarint(record, zeros);
            gzip.write(record.array(), 0, record.position());
            byte[] chunk = new byte[1 << 16];
            for (int left = zeros; left > 0; left -= chunk.length) {
                gzip.write(chunk, 0, Math.min(left, chunk.length));
            }
            gzip.write(0);
        }
        ByteBuffer batch = ByteBuffer.allocate(61 + packed.size());
        batch.putLong(0).putInt(batch.capacity() - 12).putInt(0).put((byte) 2).putInt(0);
        batch.putShort((short) 1).putInt(0);
        batch.putLong(System.currentTimeMillis()).putLong(System.currentTimeMillis());
        batch.putLong(-1).putShort((short) -1).putInt(-1).putInt(1).put(packed.toByteArray());
        CRC32C crc = new CRC32C();
        crc.update(batch.duplicate().position(21).limit(batch.capacity()));
        batch.putInt(17, (int) crc.getValue());
        return batch.array();
    }

    private static int varintBytes(int value) {
        ByteBuffer scratch = ByteBuffer.allocate(5);
        putVarint(scratch, value);
        return scratch.position();
    }

    private static void putVarint(ByteBuffer to, int value) {
        int raw = (value << 1) ^ (value >> 31);
        while ((raw & ~0x7f) != 0) {
            to.put((byte) ((raw & 0x7f) | 0x80));
            raw >>>= 7;
        }
        to.put((byte) raw);
    }
}
