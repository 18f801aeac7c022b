package io.rivulet.broker.console;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import io.rivulet.store.StoreReader;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls APIs of the broker as a client does, but without a connection: what the console may do and see is what a client
 * may. Thread-safe.
 */
record BrokerCalls(RouteTable routes, Reads reads) {
    private static final String CLIENT_ID = "rivulet-console";

    /**
     * @param version which the broker serves
     * @param answered answers the exchange, on a read thread; what it throws is the answer
     */
    <R extends Message> void ask(
            HttpExchange exchange, ApiKey key, int version, Message request, Class<R> type, Consumer<R> answered) {
        ask(exchange, key, version, request, Unpooled.EMPTY_BUFFER, type, answered);
    }

    /** As above, for an answer that needs records. */
    <R extends Message> void askAndRead(
            HttpExchange exchange,
            ApiKey key,
            int version,
            Message request,
            Class<R> type,
            BiConsumer<R, StoreReader> answered) {
        ask(exchange, key, version, request, Unpooled.EMPTY_BUFFER, new Asker<>(exchange, reads, type, answered));
    }

    /** @param borrowed buffer that the request borrows from; the call owns it from now on */
    <R extends Message> void ask(
            HttpExchange exchange,
            ApiKey key,
            int version,
            Message request,
            ByteBuf borrowed,
            Class<R> type,
            Consumer<R> answered) {
        Asker<R> asker = new Asker<>(exchange, reads, type, (answer, reader) -> answered.accept(answer));
        ask(exchange, key, version, request, borrowed, asker);
    }

    private void ask(
            HttpExchange exchange, ApiKey key, int version, Message request, ByteBuf borrowed, Asker<?> asker) {
        Route route = Objects.requireNonNull(routes.find(key.id(), (short) version), key.apiName());
        Request asked = new Request(route, (short) version, 0, CLIENT_ID, request, borrowed, Request::nothing);
        Call call = new Call(asked, asker);
        if (!call.onEventLoop(() -> exchange.run(() -> handle(call)))) {
            borrowed.release();
        }
    }

    private static void handle(Call call) {
        try {
            call.handle();
        } catch (RuntimeException e) {
            if (!call.hasEnded()) {
                call.discard();
            }
            throw e;
        }
    }

    /** Where a call comes from. Owned by: the thread of the pages. */
    private record Asker<R extends Message>(
            HttpExchange exchange, Reads reads, Class<R> type, BiConsumer<R, StoreReader> answered)
            implements Call.Origin {
        @Override
        public EventLoop eventLoop() {
            return exchange.eventLoop();
        }

        @Override
        public ByteBufAllocator allocator() {
            return UnpooledByteBufAllocator.DEFAULT;
        }

        @Override
        public String listenerName() {
            return "";
        }

        @Override
        public Call.Endpoint advertised() {
            return new Call.Endpoint("", 0);
        }

        @Override
        public String clientHost() {
            return "/" + exchange.clientHost();
        }

        @Override
        public Access access() {
            return exchange.access();
        }

        @Override
        public boolean isOpen() {
            return exchange.isOpen();
        }

        @Override
        public void ended(Call call) {
            Message message = call.take();
            if (message == null) {
                refuse("the broker is busy or stops");
                return;
            }
            boolean taken = reads.offer(reader -> {
                exchange.run(() -> answered.accept(decoded(call, message), reader));
                free(call);
            });
            if (!taken) {
                free(call);
                refuse(Reads.TOO_MANY);
            }
        }

        private R decoded(Call call, Message message) {
            return type.cast(
                    message instanceof LongAnswers.Encoded encoded
                            ? call.key().readResponse(new WireReader(encoded.bytes()), call.version())
                            : message);
        }

        private static void free(Call call) {
            call.buffers().forEach(ByteBuf::release);
            call.written();
        }

        private void refuse(String why) {
            exchange.answer(HttpResponseStatus.SERVICE_UNAVAILABLE, why);
        }

        @Override
        public void pause() {
            // There is one call at a time.
        }

        @Override
        public void resume() {
            // As above.
        }

        @Override
        public void close(String reason) {
            exchange.answer(HttpResponseStatus.INTERNAL_SERVER_ERROR, reason);
        }
    }

    /** @throws HttpProblem if the user lacks a right */
    static void requireRight(int errorCode) {
        if (isOfRights(ErrorCode.forCode(errorCode))) {
            require(errorCode, null);
        }
    }

    private static boolean isOfRights(ErrorCode error) {
        return switch (error) {
            case TOPIC_AUTHORIZATION_FAILED,
                    GROUP_AUTHORIZATION_FAILED,
                    CLUSTER_AUTHORIZATION_FAILED,
                    TRANSACTIONAL_ID_AUTHORIZATION_FAILED -> true;
            default -> false;
        };
    }

    /** @throws HttpProblem if the code is an error */
    static void require(int errorCode, @Nullable String message) {
        if (errorCode != 0) {
            ErrorCode error = ErrorCode.forCode(errorCode);
            throw new HttpProblem(
                    isOfRights(error) ? HttpResponseStatus.FORBIDDEN : HttpResponseStatus.BAD_REQUEST,
                    message == null || message.isEmpty() ? error.name() : error.name() + ": " + message);
        }
    }
}
