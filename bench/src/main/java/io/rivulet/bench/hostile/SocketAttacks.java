package io.rivulet.bench.hostile;

import io.netty.buffer.Unpooled;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.lab.Wires;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.MetadataRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Attacks with sockets and frames. Stateless. */
final class SocketAttacks {
    private static final int UNFINISHED = 30;
    private static final int ANNOUNCED_BYTES = 100_000_000;
    private static final int SENT_BYTES = 20 << 20;
    private static final int IDLE = 400;
    private static final int REQUESTS_NOT_READ = 20_000;
    private static final int GARBAGE_FRAMES = 200;
    private static final int GARBAGE_BYTES = 300;
    private static final short METADATA_VERSION = 12;
    private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(5);

    private SocketAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("unfinished frames of 100 MB", SocketAttacks::leaveUnfinished),
                new Attack("idle sockets", SocketAttacks::idle),
                new Attack("responses that are not read", SocketAttacks::ignoreResponses),
                new Attack("frames of garbage", SocketAttacks::garbage));
    }

    /** Each connection has a thread, because the broker may stop reading. */
    private static void leaveUnfinished(int port) throws IOException {
        byte[] bytes = new byte[SENT_BYTES];
        ByteBuffer.wrap(bytes).putInt(ANNOUNCED_BYTES);
        try (Wires wires = Wires.open(port, UNFINISHED)) {
            wires.all().forEach(wire -> start(() -> wire.send(Unpooled.wrappedBuffer(bytes))));
            LockSupport.parkNanos(HELD_NANOS);
        }
    }

    /** Code that fails when its connection is closed. */
    private interface Sending {
        void run() throws IOException;
    }

    private static void start(Sending sending) {
        Thread thread = new Thread(
                () -> {
                    try {
                        sending.run();
                    } catch (IOException e) {
                        // The connection is closed.
                    }
                },
                "attacker");
        thread.setDaemon(true);
        thread.start();
    }

    @SuppressWarnings("try") // the connections are held open, and nothing is sent
    private static void idle(int port) throws IOException {
        try (Wires wires = Wires.open(port, IDLE)) {
            LockSupport.parkNanos(HELD_NANOS);
        }
    }

    private static void ignoreResponses(int port) throws IOException {
        try (Wire wire = new Wire(port)) {
            start(() -> {
                for (int i = 0; i < REQUESTS_NOT_READ; i++) {
                    wire.send(ApiKey.METADATA, METADATA_VERSION, new MetadataRequest().topics(null));
                }
            });
            LockSupport.parkNanos(HELD_NANOS);
        }
    }

    private static void garbage(int port) throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < GARBAGE_FRAMES; i++) {
            byte[] bytes = new byte[GARBAGE_BYTES];
            random.nextBytes(bytes);
            try (Wire wire = new Wire(port)) {
                // A key and a version that exist, so that the broker decodes the rest.
                wire.send(Unpooled.buffer()
                        .writeInt(bytes.length)
                        .writeShort(random.nextInt(80))
                        .writeShort(random.nextInt(10))
                        .writeBytes(bytes, 4, bytes.length - 4));
            }
        }
    }
}
