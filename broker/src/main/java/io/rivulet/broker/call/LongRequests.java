package io.rivulet.broker.call;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.UnknownTag;
import io.rivulet.protocol.wire.WireReader;
import io.rivulet.protocol.wire.WireWriter;
import java.util.List;
import java.util.function.Consumer;

/**
 * Requests that are so long that an event loop would be held up: decoded and handled on a read thread, and so are their answers. Their
 * connection starts no other meanwhile, so they stay in order. What they have on the heap, until they are answered, is bounded over all of
 * them; those that find none left wait. Thread-safe.
 */
public final class LongRequests {
    /** The body of a call whose frame is still to be decoded. */
    public static final Message UNDECODED = new Undecoded();

    /** About a millisecond's work. */
    private static final int SHORT_BYTES = 64 << 10;

    /** Of a request with records this is what an event loop makes of it: some thousand partitions. */
    private static final int SHORT_HEAP_BYTES = 512 << 10;

    private final ReadPool readers;
    private final LongAnswers answers;
    private final long maxHeapBytes;
    private final ResponseMemory heap;

    /** @param maxHeapBytes what they may have on the heap in all, and so one of them */
    public LongRequests(ReadPool readers, LongAnswers answers, long maxHeapBytes) {
        this.readers = readers;
        this.answers = answers;
        this.maxHeapBytes = maxHeapBytes;
        this.heap = new ResponseMemory(maxHeapBytes, Integer.MAX_VALUE, System::nanoTime);
    }

    /** Whether a frame of so many bytes is not decoded by an event loop, unless it is short otherwise. */
    public static boolean isLong(int frameBytes) {
        return frameBytes > SHORT_BYTES;
    }

    /** What the frame holds, if most of it are records, else {@link #UNDECODED}. */
    public static Message decodeIfShort(ApiKey key, short version, WireReader in) {
        if (key != ApiKey.PRODUCE) {
            return UNDECODED;
        }
        in.limitHeap(SHORT_HEAP_BYTES);
        try {
            return key.readRequest(in, version);
        } catch (MalformedRequestException e) {
            if (in.isOverLimit()) {
                return UNDECODED;
            }
            throw e;
        }
    }

    /** Decodes the call's frame, and has it handled. */
    public void decode(Call call, Consumer<Call> handler) {
        long bytes = Math.min(maxHeapBytes, WireReader.maxHeapBytes(call.frame().readableBytes()));
        heap.takeAll(bytes, () -> {
            call.whenEnded(() -> heap.giveBack(bytes));
            if (!readers.read(reader -> decodeHere(call, handler), call::failed)) {
                call.drop();
            }
        });
    }

    private void decodeHere(Call call, Consumer<Call> handler) {
        try {
            call.decoded(body(call), answers);
        } catch (MalformedRequestException e) {
            call.fail(String.valueOf(e.getMessage()));
            return;
        }
        if (ownsState(call.key())) {
            if (!call.onEventLoop(() -> handle(call, handler))) {
                call.drop();
            }
        } else {
            handle(call, handler);
        }
    }

    /** Whether its handler has a connection's or a session's state, and so belongs to the event loop. */
    private static boolean ownsState(ApiKey key) {
        return key == ApiKey.PRODUCE || key == ApiKey.FETCH;
    }

    private static void handle(Call call, Consumer<Call> handler) {
        try {
            handler.accept(call);
        } catch (RuntimeException e) {
            call.failed(e);
        }
    }

    private Message body(Call call) {
        WireReader in = new WireReader(call.frame());
        in.limitHeap(maxHeapBytes);
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
