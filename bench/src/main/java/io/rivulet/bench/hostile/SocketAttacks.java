package io.rivulet.bench.hostile;

import io.netty.buffer.ByteBuf;
import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.MetadataRequest;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Attacks on sockets and frames. Stateless. */
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
                new Attack("answers that nobody reads", SocketAttacks::ignoreAnswers),
                new Attack("frames of garbage", SocketAttacks::garbage));
    }

    private static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /** Each connection has a thread, for the broker may stop reading. */
    private static void leaveUnfinished(int port) throws IOException {
        byte[] bytes = new byte[SENT_BYTES];
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < UNFINISHED; i++) {
                Socket socket = connect(port);
                sockets.add(socket);
                Thread writer = new Thread(
                        () -> {
                            try {
                                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                                out.writeInt(ANNOUNCED_BYTES);
                                out.write(bytes);
                            } catch (IOException e) {
                                // The broker, or the end of this burst, has closed the socket.
                            }
                        },
                        "unfinished");
                writer.setDaemon(true);
                writer.start();
            }
            LockSupport.parkNanos(HELD_NANOS);
        } finally {
            closeAll(sockets);
        }
    }

    private static void idle(int port) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < IDLE; i++) {
                sockets.add(connect(port));
            }
            LockSupport.parkNanos(HELD_NANOS);
        } finally {
            closeAll(sockets);
        }
    }

    private static void closeAll(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static void ignoreAnswers(int port) throws IOException {
        Socket socket = connect(port);
        Thread closer = new Thread(
                () -> {
                    LockSupport.parkNanos(HELD_NANOS);
                    try {
                        socket.close();
                    } catch (IOException e) {
                        // It is closed already.
                    }
                },
                "closer");
        closer.setDaemon(true);
        closer.start();
        for (int i = 0; i < REQUESTS_NOT_READ; i++) {
            ByteBuf frame = Wire.frame(ApiKey.METADATA, METADATA_VERSION, new MetadataRequest().topics(null));
            frame.readBytes(socket.getOutputStream(), frame.readableBytes());
            frame.release();
        }
    }

    private static void garbage(int port) throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < GARBAGE_FRAMES; i++) {
            try (Socket socket = connect(port)) {
                byte[] bytes = new byte[GARBAGE_BYTES];
                random.nextBytes(bytes);
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeInt(bytes.length);
                // A key and a version that exist: what follows is decoded.
                out.writeShort(random.nextInt(80));
                out.writeShort(random.nextInt(10));
                out.write(bytes, 4, bytes.length - 4);
            }
        }
    }
}
