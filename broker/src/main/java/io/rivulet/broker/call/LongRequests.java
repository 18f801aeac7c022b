package io.rivulet.broker.call;

import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are too long for an event loop. A read thread decodes and handles them, and encodes their answers. Their connection
 * starts no other call meanwhile, so order is kept. Their heap, until they are answered, is bounded in sum: when it is used up, requests
 * wait. Thread-safe.
 */
public final class LongRequests {
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

    /** The request in the frame; null if it is more than an event loop should decode. */
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
            if (!readers.read(reader -> decodeHere(call), call::fail)) {
                call.discard();
            }
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
            if (!call.onEventLoop(() -> handle(call))) {
                call.discard();
            }
        } else {
            handle(call);
        }
    }

    private static void handle(Call call) {
        try {
            call.handle();
        } catch (RuntimeException e) {
            call.fail(e);
        }
    }

    private Message body(Call call) {
        WireReader in = new WireReader(call.frame());
        in.limitHeap(maxHeapBytes);
        RequestHeader unused = RequestHeader.read(in, call.key().requestHeaderVersion(call.version()));
        return call.key().readRequest(in, call.version());
    }
}
