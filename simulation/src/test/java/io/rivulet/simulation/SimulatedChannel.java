package io.rivulet.simulation;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;

/** The broker's end of a connection without a socket. Owned by: its event loop, except where it says so. */
final class SimulatedChannel extends AbstractChannel {
    /** The other end. Called on the event loop. */
    interface Peer {
        void received(byte[] bytes);

        void closed();
    }

    private static final ChannelMetadata METADATA = new ChannelMetadata(false);

    private final ChannelConfig config = new DefaultChannelConfig(this);
    private final InetSocketAddress client;
    private final Peer peer;
    private final Queue<byte[]> arrived = new ArrayDeque<>();
    private boolean open = true;
    private boolean clientClosed;
    private boolean wantsToRead;

    SimulatedChannel(int number, Peer peer) {
        super(null);
        this.client = new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 1024 + number);
        this.peer = peer;
        config.setAllocator(new UnpooledByteBufAllocator(false));
    }

    // ---- any thread ----

    /** The client has sent the bytes; they arrive in this piece. */
    void arrive(byte[] bytes) {
        arrived.add(bytes);
        eventLoop().execute(this::deliver);
    }

    /** The client has closed its end. */
    void clientLeaves() {
        clientClosed = true;
        eventLoop().execute(this::deliver);
    }

    // ---- event loop ----

    private void deliver() {
        byte[] next = wantsToRead && open ? arrived.poll() : null;
        if (next != null) {
            wantsToRead = false;
            pipeline().fireChannelRead(Unpooled.copiedBuffer(next));
            pipeline().fireChannelReadComplete();
        } else if (clientClosed && open) {
            unsafe().close(unsafe().voidPromise());
        }
    }

    @Override
    protected void doBeginRead() {
        wantsToRead = true;
        if (!arrived.isEmpty() || clientClosed) {
            eventLoop().execute(this::deliver);
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer out) {
        for (Object message = out.current(); message != null; message = out.current()) {
            ByteBuf bytes = (ByteBuf) message;
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.getBytes(bytes.readerIndex(), copy);
            out.remove();
            peer.received(copy);
        }
    }

    @Override
    protected void doClose() {
        open = false;
        arrived.clear();
        peer.closed();
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof ByteBuf) {
            return message;
        }
        ReferenceCountUtil.release(message);
        throw new UnsupportedOperationException("not bytes: " + message.getClass());
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new AbstractUnsafe() {
            @Override
            public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
                throw new UnsupportedOperationException("it is connected");
            }
        };
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof SimulatedLoop;
    }

    @Override
    protected SocketAddress localAddress0() {
        return new InetSocketAddress(client.getAddress(), 9092);
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return client;
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException("it is connected");
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }
}
