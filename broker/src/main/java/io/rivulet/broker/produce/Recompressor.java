package io.rivulet.broker.produce;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.produce.Recompression.Rewritten;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ProduceRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Recompresses the batches of produce requests, on one thread.
 *
 * <p>Thread-safe.
 */
final class Recompressor implements AutoCloseable {
    private final int maxRequestBytes;
    private final int maxDecompressedBytes;
    /** The memory of new frames, until their requests are answered. */
    private final ResponseMemory memory;

    private final ProduceThread thread;

    /** @param maxRequestBytes the limit of all new frames whose requests are not answered yet, and of each of them */
    Recompressor(int maxRequestBytes, int maxDecompressedBytes, Environment environment) {
        this.maxRequestBytes = maxRequestBytes;
        this.maxDecompressedBytes = maxDecompressedBytes;
        this.memory = new ResponseMemory(maxRequestBytes, Integer.MAX_VALUE, environment.clock()::nanos);
        this.thread = new ProduceThread(
                "recompressor", task -> environment.failures().thread("recompressor", task), environment);
    }

    /** Called on the connection's event loop, which also runs {@code then}. A failure closes the connection. */
    void rewrite(Call call, ProduceRequest request, @Nullable Topic[] topics, Consumer<Rewritten> then) {
        call.origin().pause();
        int bytes = Recompression.maxFrameBytes(request, topics, maxRequestBytes);
        memory.takeAll(bytes, () -> {
            call.whenEnded(() -> memory.giveBack(bytes));
            thread.execute(call, () -> rewriteHere(bytes, call, request, topics, then));
        });
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
        if (!ProduceThread.resume(call, () -> then.accept(rewritten))) {
            rewritten.frame().release();
            call.discard();
        }
    }

    @Override
    public void close() {
        thread.close();
    }
}
