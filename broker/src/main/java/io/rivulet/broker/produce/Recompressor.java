package io.rivulet.broker.produce;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.produce.Recompression.Rewritten;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that recompresses batches. It ends when it is idle. A connection whose request is here starts no further ones. So order is
 * kept, and at most one request of each connection waits.
 *
 * <p>Thread-safe.
 */
final class Recompressor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recompressor.class);
    private static final long IDLE_SECONDS = 10;

    private final int maxRequestBytes;
    private final int maxDecompressedBytes;
    private final FailureLatch failures;
    /** Of what was made here, until it is answered. */
    private final ResponseMemory memory;

    private final ThreadPoolExecutor thread;

    /** @param maxRequestBytes what may be made here, and not be answered yet, in all of one and of all requests */
    Recompressor(int maxRequestBytes, int maxDecompressedBytes, FailureLatch failures) {
        this.failures = failures;
        this.maxRequestBytes = maxRequestBytes;
        this.maxDecompressedBytes = maxDecompressedBytes;
        this.memory = new ResponseMemory(maxRequestBytes, Integer.MAX_VALUE, System::nanoTime);
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> failures.thread("recompressor", task));
        thread.allowCoreThreadTimeOut(true);
    }

    /** Called on the connection's event loop, where {@code then} gets the outcome. A request that can't be served ends its connection. */
    void rewrite(Call call, ProduceRequest request, @Nullable Topic[] topics, Consumer<Rewritten> then) {
        call.origin().pause();
        int bytes = Recompression.maxFrameBytes(request, topics, maxRequestBytes);
        memory.takeAll(bytes, () -> execute(bytes, call, () -> rewriteHere(bytes, call, request, topics, then)));
    }

    private void execute(int bytes, Call call, Runnable work) {
        call.whenEnded(() -> memory.giveBack(bytes));
        try {
            thread.execute(failures.guarded(work));
        } catch (RejectedExecutionException e) {
            LOG.debug("A request came when the broker was closing");
            call.discard();
        }
    }

    private void rewriteHere(
            int maxBytes, Call call, ProduceRequest request, @Nullable Topic[] topics, Consumer<Rewritten> then) {
        Rewritten rewritten;
        try (Recompression work = new Recompression(call.origin().allocator(), maxBytes, maxDecompressedBytes)) {
            rewritten = work.rewrite(request, topics, call.frame().readableBytes());
        } catch (RuntimeException e) {
            call.fail("its batches could not be compressed", e);
            return;
        }
        if (!call.onEventLoop(() -> goOn(call, rewritten, then))) {
            rewritten.frame().release();
            call.discard();
        }
    }

    private static void goOn(Call call, Rewritten rewritten, Consumer<Rewritten> then) {
        try {
            then.accept(rewritten);
        } catch (RuntimeException e) {
            call.fail(e);
            return;
        }
        call.origin().resume();
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
