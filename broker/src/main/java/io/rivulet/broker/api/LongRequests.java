package io.rivulet.broker.api;

import io.rivulet.broker.fetch.ReadPool;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.UnknownTag;
import io.rivulet.protocol.wire.WireReader;
import io.rivulet.protocol.wire.WireWriter;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that name so much that an event loop would be held up: decoded and handled on a read thread. Their connection starts no
 * other meanwhile, so they stay in order. Thread-safe.
 */
public final class LongRequests {
    /** The body of a call whose frame is still to be decoded. */
    public static final Message UNDECODED = new Undecoded();

    private static final Logger LOG = LoggerFactory.getLogger(LongRequests.class);

    /** About a millisecond's work. */
    private static final int SHORT_BYTES = 64 << 10;

    private final ReadPool readers;

    public LongRequests(ReadPool readers) {
        this.readers = readers;
    }

    /** Whether a frame of so many bytes is decoded here. Of an API with a connection's or session's state, it is not. */
    public static boolean isLong(ApiKey key, int frameBytes) {
        return frameBytes > SHORT_BYTES
                && switch (key) {
                    case METADATA,
                            LIST_OFFSETS,
                            CREATE_TOPICS,
                            DELETE_TOPICS,
                            DESCRIBE_TOPIC_PARTITIONS,
                            JOIN_GROUP,
                            SYNC_GROUP,
                            OFFSET_COMMIT,
                            OFFSET_FETCH,
                            CONSUMER_GROUP_HEARTBEAT -> true;
                    default -> false;
                };
    }

    /** Decodes the call's frame, and has it handled. */
    void decode(Call call, Consumer<Call> handler) {
        if (!readers.read(reader -> decodeHere(call, handler))) {
            call.drop();
        }
    }

    private static void decodeHere(Call call, Consumer<Call> handler) {
        try {
            call.decoded(body(call));
        } catch (MalformedRequestException e) {
            call.fail(String.valueOf(e.getMessage()));
            return;
        }
        try {
            handler.accept(call);
        } catch (RuntimeException e) {
            LOG.error("{} failed", call.key(), e);
            call.fail("a long request failed");
        }
    }

    private static Message body(Call call) {
        WireReader in = new WireReader(call.frame());
        RequestHeader unused = RequestHeader.read(in, call.key().requestHeaderVersion(call.version()));
        return call.key().readRequest(in, call.version());
    }

    private static final class Undecoded implements Message {
        @Override
        public int sizeInBytes(short version) {
            throw new IllegalStateException("it is not decoded");
        }

        @Override
        public void write(WireWriter out, short version) {
            throw new IllegalStateException("it is not decoded");
        }

        @Override
        public List<UnknownTag> unknownTags() {
            return List.of();
        }
    }
}
