package io.rivulet.broker.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;

/**
 * Events that the server sends while the client keeps the connection open (text/event-stream). Thread-safe.
 *
 * <p>It buffers little: while the client does not read, {@link #isWritable} is false and events are dropped.
 */
public final class EventStream {
    private final Channel channel;
    private final OpenConnections connections;

    EventStream(Channel channel, OpenConnections connections) {
        this.channel = channel;
        this.connections = connections;
    }

    public boolean isOpen() {
        return channel.isActive();
    }

    public boolean isWritable() {
        return channel.isWritable();
    }

    /**
     * Sends an event, unless the client does not read.
     *
     * @param name of the event; empty for "message"
     * @param id what the client sends in Last-Event-ID when it connects again; empty for none
     * @param data one line
     * @return false if the event was dropped
     */
    public boolean send(String name, String id, CharSequence data) {
        StringBuilder event = new StringBuilder(data.length() + 32);
        if (!name.isEmpty()) {
            event.append("event: ").append(name).append('\n');
        }
        if (!id.isEmpty()) {
            event.append("id: ").append(id).append('\n');
        }
        return write(event.append("data: ").append(data).append("\n\n"));
    }

    /** Keeps the connection from being idle. */
    public void keepAlive() {
        var unused = write(":\n\n");
    }

    private boolean write(CharSequence text) {
        int most = ByteBufUtil.utf8MaxBytes(text);
        if (!channel.isWritable() || !connections.reserve(most)) {
            return false;
        }
        ByteBuf bytes = ByteBufUtil.writeUtf8(channel.alloc(), text);
        channel.writeAndFlush(new DefaultHttpContent(bytes)).addListener(written -> {
            connections.written(most);
            if (!written.isSuccess()) {
                channel.close();
            }
        });
        return true;
    }

    public void close() {
        var unused = channel.close();
    }

    /** Runs the action on the thread of the pages when the stream has ended. */
    public void whenClosed(Runnable action) {
        channel.closeFuture().addListener(closed -> action.run());
    }
}
