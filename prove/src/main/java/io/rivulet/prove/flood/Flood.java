package io.rivulet.prove.flood;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.RequestHeader;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** What a crowd does to a broker. Immutable. */
enum Flood {
    /** Frames of a few megabytes of which a part arrives. */
    HALF_FRAMES {
        @Override
        Crowd begin(int port, Random random) throws IOException {
            return new Crowd(port).join(HALF_FRAMES_AT_ONCE).each((member, number) -> {
                int length = MOST_SENT_BYTES + random.nextInt(MOST_ANNOUNCED_BYTES);
                byte[] part = new byte[Integer.BYTES + random.nextInt(MOST_SENT_BYTES)];
                random.nextBytes(part);
                ByteBuffer.wrap(part).putInt(length);
                Crowd.write(member, part);
            });
        }
    },
    /** Connections that send nothing, or not even the length of a frame. */
    HALF_OPEN {
        @Override
        Crowd begin(int port, Random random) throws IOException {
            return new Crowd(port).join(HALF_OPEN_CONNECTIONS).each((member, number) -> {
                if (random.nextInt(4) == 0) {
                    Crowd.write(member, new byte[1 + random.nextInt(3)]);
                }
            });
        }
    },
    /** More connections than the broker has file descriptors. */
    DESCRIPTORS {
        @Override
        Crowd begin(int port, Random random) throws IOException {
            return new Crowd(port).join(3 * FEW_FILES);
        }
    },
    /** Clients that ask for a megabyte and read 64 bytes a second. */
    SLOW_READERS {
        @Override
        Crowd begin(int port, Random random) throws IOException {
            byte[] frame = fetch();
            return new Crowd(port)
                    .join(SLOW_CONNECTIONS)
                    .each((member, number) -> Crowd.write(member, frame))
                    .eachEvery(1000, (member, number) -> {
                        if (member.read(ByteBuffer.allocate(SLOW_BYTES)) < 0) {
                            member.close();
                        }
                    });
        }
    },
    /** Clients that come and go at once. Some say something, some leave in order. */
    CONNECT_STORM {
        @Override
        Crowd begin(int port, Random random) {
            return new Crowd(port).visits(1, VISITS_AT_ONCE, (visitor, number) -> {
                if (number % 2 == 0) {
                    Crowd.write(visitor, new byte[1 + number % 64]);
                }
                if (number % 16 == 0) {
                    visitor.setOption(StandardSocketOptions.SO_LINGER, -1);
                }
            });
        }
    };

    /** The topic that slow readers ask for. */
    static final String LARGE_TOPIC = "large";
    /** How many files a broker may open that has few. */
    static final int FEW_FILES = 1000;
    /** How many connections are open at most, at each of their ends. */
    static final int MOST_CONNECTIONS = 10_000;

    private static final int HALF_OPEN_CONNECTIONS = MOST_CONNECTIONS;
    private static final int HALF_FRAMES_AT_ONCE = 500;
    private static final int MOST_ANNOUNCED_BYTES = 4 << 20;
    private static final int MOST_SENT_BYTES = 256 << 10;
    private static final int SLOW_CONNECTIONS = 1000;
    private static final int SLOW_BYTES = 64;
    private static final int SLOW_FETCH_BYTES = 1 << 20;
    private static final int VISITS_AT_ONCE = 2;
    private static final short FETCH_VERSION = 12;

    /** Begins it. It lasts until the crowd is closed. */
    abstract Crowd begin(int port, Random random) throws IOException;

    /** Its name in the table. */
    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static byte[] fetch() {
        FetchRequest request = new FetchRequest()
                .maxBytes(SLOW_FETCH_BYTES)
                .topics(List.of(new FetchRequest.FetchTopic()
                        .topic(LARGE_TOPIC)
                        .partitions(List.of(new FetchRequest.FetchPartition().partitionMaxBytes(SLOW_FETCH_BYTES)))));
        ByteBuf frame = Unpooled.buffer();
        frame.writeInt(0);
        new RequestHeader()
                .requestApiKey(ApiKey.FETCH.id())
                .requestApiVersion(FETCH_VERSION)
                .clientId("slow")
                .write(frame, ApiKey.FETCH.requestHeaderVersion(FETCH_VERSION));
        request.write(frame, FETCH_VERSION);
        frame.setInt(0, frame.readableBytes() - Integer.BYTES);
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        return bytes;
    }
}
