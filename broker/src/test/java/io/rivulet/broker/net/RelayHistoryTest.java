package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that send requests of any length in any parts, while owners die and are replaced: each request reaches one
 * owner at most, whole, and each answer its client, in order.
 */
final class RelayHistoryTest {
    private static final int CLIENTS = 8;
    private static final int CHANGES = 40;
    private static final int MAX_PIPELINED = 3;
    private static final int MAX_FRAME_BYTES = 20_000;
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong ids = new AtomicLong();
    private final Set<Long> received = ConcurrentHashMap.newKeySet();
    private final Set<Long> twice = ConcurrentHashMap.newKeySet();
    private final Semaphore answers = new Semaphore(0);
    private volatile boolean ended;

    /** Answers each request with its own bytes. */
    private final class EchoingOwner {
        private final ServerSocket listening = TestRelay.owner();
        private final Set<Socket> open = ConcurrentHashMap.newKeySet();

        EchoingOwner() throws IOException {
            threads.execute(() -> {
                try {
                    while (true) {
                        Socket taken = listening.accept();
                        open.add(taken);
                        threads.execute(() -> answer(taken));
                    }
                } catch (IOException e) {
                    assertThat(listening.isClosed()).isTrue();
                }
            });
        }

        private void answer(Socket taken) {
            Random random = new Random(SEED);
            try {
                DataInputStream in = new DataInputStream(taken.getInputStream());
                while (true) {
                    byte[] frame = new byte[in.readInt()];
                    in.readFully(frame);
                    long id = new DataInputStream(new ByteArrayInputStream(frame)).readLong();
                    if (!received.add(id)) {
                        twice.add(id);
                    }
                    writeInParts(taken.getOutputStream(), withLength(frame), random);
                }
            } catch (IOException e) {
                open.remove(taken);
            }
        }

        void end() throws IOException {
            listening.close();
            for (Socket taken : open) {
                taken.close();
            }
        }
    }

    private static byte[] withLength(byte[] frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(frame.length);
        out.write(frame);
        return bytes.toByteArray();
    }

    private static void writeInParts(OutputStream out, byte[] bytes, Random random) throws IOException {
        int at = 0;
        while (at < bytes.length) {
            int part = Math.min(bytes.length - at, 1 + random.nextInt(random.nextInt(4) == 0 ? 5 : MAX_FRAME_BYTES));
            out.write(bytes, at, part);
            at += part;
        }
    }

    private byte[] request(Random random) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(ids.incrementAndGet());
        byte[] rest = new byte[random.nextInt(random.nextBoolean() ? 10 : MAX_FRAME_BYTES)];
        random.nextBytes(rest);
        out.write(rest);
        return bytes.toByteArray();
    }

    @Test
    void eachRequestReachesOneOwnerAtMostAndEachAnswerItsClient() throws Exception {
        Random random = new Random(SEED);
        TestRelay broker = new TestRelay(directory);
        try {
            EchoingOwner owner = new EchoingOwner();
            TestRelay.setOwner(broker.relay, owner.listening);
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random of = new Random(random.nextLong());
                clients.add(threads.submit(() -> work(broker, of)));
            }
            for (int change = 0; change < CHANGES; change++) {
                answers.acquire(random.nextInt(3 * CLIENTS));
                EchoingOwner next = new EchoingOwner();
                if (random.nextBoolean()) {
                    owner.end();
                }
                broker.changeOwner(next.listening);
                owner.end();
                owner = next;
            }
            ended = true;
            for (Future<?> client : clients) {
                client.get(1, TimeUnit.MINUTES);
            }
            owner.end();
        } finally {
            broker.stop();
            threads.shutdownNow();
        }
        assertThat(twice).as("-Drivulet.seed=" + SEED).isEmpty();
    }

    /** A connection that ends is opened again; its requests are not repeated. */
    private Void work(TestRelay broker, Random random) throws Exception {
        while (!ended) {
            try (Socket client = broker.connect(TestRelay.PLAIN)) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                while (!ended) {
                    List<byte[]> requests = new ArrayList<>();
                    for (int i = random.nextInt(MAX_PIPELINED); i >= 0; i--) {
                        requests.add(request(random));
                    }
                    for (byte[] request : requests) {
                        writeInParts(client.getOutputStream(), withLength(request), random);
                    }
                    for (byte[] request : requests) {
                        byte[] answer = new byte[in.readInt()];
                        in.readFully(answer);
                        assertThat(answer).as("-Drivulet.seed=" + SEED).isEqualTo(request);
                        answers.release();
                    }
                }
            } catch (IOException e) {
                // What was in flight is lost, as with any connection.
            }
        }
        return null;
    }
}
