package io.rivulet.broker.call;

import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are too long for an event loop. A read thread decodes and handles them, and encodes their answers.
 * Their connection starts no other call meanwhile, so the order is kept. The heap of all long requests, until they are
 * answered, is bounded. When it is used up, requests wait. Thread-safe.
 */
public final class LongRequests {
    /** An event loop decodes so much in about a millisecond. */
    private static final int SHORT_BYTES = 64 << 10;

    /** The heap of a request with records that an event loop decodes: some thousand partitions. */
    private static final int SHORT_HEAP_BYTES = 512 << 10;

    private final ReadPool readers;
    private final LongAnswers answers;
    private final long maxHeapBytes;
    private final ResponseMemory heap;

    /** @param maxHeapBytes the limit of heap for all long requests, and so for each of them */
    public LongRequests(ReadPool readers, LongAnswers answers, long maxHeapBytes) {
        this.readers = readers;
        this.answers = answers;
        this.maxHeapBytes = maxHeapBytes;
        this.heap = new ResponseMemory(maxHeapBytes, Integer.MAX_VALUE, System::nanoTime);
    }

    /** Whether a frame is too long for an event loop, unless {@link #decodeIfShort} decodes it. */
    public static boolean isLong(int frameBytes) {
        return frameBytes > SHORT_BYTES;
    }

    /** The request in the frame; null if it is too much work for an event loop. */
    public static @Nullable Message decodeIfShort(Route route, short version, WireReader in) {
        if (!route.keepsFrame()) {
            return null;
        }
        in.limitHeap(SHORT_HEAP_BYTES);
        try {
            return route.key().readRequest(in, version);
        } catch (MalformedRequestException e) {
            if (in.isOverLimit()) {
                return null;
            }
            throw e;
        }
    }

    /** Decodes the call's frame and runs its handler, on a read thread. */
    public void decode(Call call) {
        long bytes = Math.min(maxHeapBytes, WireReader.maxHeapBytes(call.frame().readableBytes()));
        heap.takeAll(bytes, () -> {
            call.whenEnded(() -> heap.giveBack(bytes));
            readers.read(call, reader -> decodeHere(call));
        });
    }

    private void decodeHere(Call call) {
        try {
            call.decoded(body(call), answers);
        } catch (MalformedRequestException e) {
            call.fail(String.valueOf(e.getMessage()));
            return;
        }
        if (call.route().place() == Route.Place.EVENT_LOOP) {
            if (!call.onEventLoop(call::handle)) {
                call.discard();
            }
        } else {
            call.handle();
        }
    }

    private Message body(Call call) {
        WireReader in = new WireReader(call.frame());
        in.limitHeap(maxHeapBytes);
        RequestHeader unused = RequestHeader.read(in, call.key().requestHeaderVersion(call.version()));
        return call.key().readRequest(in, call.version());
    }
}
