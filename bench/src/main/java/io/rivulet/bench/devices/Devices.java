package io.rivulet.bench.devices;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.TlsClient;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens connections of many devices to one broker. Thread-safe. */
public final class Devices implements Closeable {
    private static final int LOOPS = 2;
    private static final int MAX_ANSWER_BYTES = 1 << 20;
    private static final int CONNECT_MILLIS = 60_000;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(LOOPS, NioIoHandler.newFactory());
    private final Bootstrap bootstrap;
    private final @Nullable TlsClient tls;

    /** @param resume whether a device resumes its last session */
    public Devices(RunningBroker broker, boolean resume) throws IOException {
        tls = broker.isEncrypted() ? new TlsClient(resume) : null;
        bootstrap = new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .remoteAddress(broker.loadAddress());
    }

    /** Completes when the device has connected and all its requests are answered. */
    CompletableFuture<Visit> connect(int device, List<Exchange> exchanges) {
        if (loops.isShuttingDown()) {
            return CompletableFuture.failedFuture(new ClosedChannelException());
        }
        CompletableFuture<Visit> answered = new CompletableFuture<>();
        Bootstrap one = bootstrap.clone().handler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                if (tls != null) {
                    channel.pipeline().addLast(tls.handler(channel.alloc(), device));
                }
                channel.pipeline()
                        .addLast(
                                new LengthFieldBasedFrameDecoder(MAX_ANSWER_BYTES, 0, Integer.BYTES, 0, Integer.BYTES),
                                new Device(exchanges, tls != null, answered));
            }
        });
        one.connect().addListener(done -> {
            if (!done.isSuccess()) {
                answered.completeExceptionally(done.cause());
            }
        });
        return answered;
    }

    /** Runs the task on an event loop. */
    void later(Runnable task, long millis) {
        var unused = loops.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
