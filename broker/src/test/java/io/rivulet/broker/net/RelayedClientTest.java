package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of clients of a broker that relays when the owner changes. */
final class RelayedClientTest {
    private static final int END = -1;
    private static final int MANY = 100;
    private static final int CHANGES = 5;
    private static final int LONG_BYTES = 1 << 20;
    private static final long SHORT_PATIENCE_MILLIS = 300;
    private static final byte[] FRAME = frame(40);

    @TempDir
    private Path directory;

    private TestRelay broker;
    private ServerSocket owner;
    private ServerSocket next;

    @BeforeEach
    void start() throws Exception {
        broker = new TestRelay(directory);
        owner = TestRelay.owner();
        next = TestRelay.owner();
        TestRelay.setOwner(broker.relay, owner);
    }

    @AfterEach
    void stop() throws Exception {
        owner.close();
        next.close();
        broker.stop();
    }

    private static byte[] frame(int bytes) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(frame)) {
            out.writeInt(bytes);
            for (int i = 0; i < bytes; i++) {
                out.write(i % 251);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return frame.toByteArray();
    }

    private static void pass(Socket from, Socket to, byte[] bytes) throws IOException {
        from.getOutputStream().write(bytes);
        arrive(to, bytes);
    }

    private static void arrive(Socket at, byte[] bytes) throws IOException {
        byte[] read = new byte[bytes.length];
        new DataInputStream(at.getInputStream()).readFully(read);
        assertThat(read).isEqualTo(bytes);
    }

    /** A request and its answer. */
    private static void ask(Socket client, Socket of) throws IOException {
        pass(client, of, FRAME);
        pass(of, client, FRAME);
    }

    private static void assertEnded(Socket socket) throws IOException {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(END);
        } catch (IOException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    /** The end of the owner's process. */
    private void end(Socket taken) throws Exception {
        taken.close();
        broker.awaitRelayed(0);
    }

    // ---- kept ----

    @Test
    void aClientGoesToTheNextOwnerWhenTheOwnerEnds() throws Exception {
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            end(taken);
            TestRelay.setOwner(broker.relay, next);
            client.getOutputStream().write(FRAME);
            try (Socket again = next.accept()) {
                arrive(again, FRAME);
                pass(again, client, FRAME);
            }
        }
    }

    @Test
    void whatAClientSaysBetweenTwoOwnersReachesTheNextOne() throws Exception {
        byte[] request = frame(LONG_BYTES);
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            owner.close();
            end(taken);
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    client.getOutputStream().write(request);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            broker.awaitWaiting(1);
            broker.changeOwner(next);
            try (Socket again = next.accept()) {
                arrive(again, request);
                sending.get();
                pass(again, client, request);
            }
            assertThat(broker.relay.waiting()).isZero();
        }
    }

    /** It is paused, or cut off: its connections do not end. */
    @Test
    void aClientLeavesAnOwnerThatIsReplaced() throws Exception {
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            broker.changeOwner(next);
            assertEnded(taken);
            client.getOutputStream().write(FRAME);
            try (Socket again = next.accept()) {
                arrive(again, FRAME);
                pass(again, client, FRAME);
            }
        }
    }

    @Test
    void aClientThatSaidNothingYetIsKept() throws Exception {
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            broker.awaitRelayed(1);
            broker.changeOwner(next);
            assertEnded(taken);
            client.getOutputStream().write(FRAME);
            try (Socket again = next.accept()) {
                arrive(again, FRAME);
            }
        }
    }

    @Test
    void clientsThatSayNothingBurdenNoOwner() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < MANY; i++) {
                clients.add(broker.connect(TestRelay.PLAIN));
                ask(clients.get(i), owner.accept());
            }
            for (int change = 0; change < CHANGES; change++) {
                broker.changeOwner(next);
                broker.awaitRelayed(0);
            }
            assertThat(broker.relay.total()).isEqualTo(MANY);
            for (Socket client : clients) {
                client.getOutputStream().write(FRAME);
                try (Socket again = next.accept()) {
                    arrive(again, FRAME);
                    pass(again, client, FRAME);
                }
            }
            assertThat(broker.server.connections().get(TestRelay.PLAIN).opened())
                    .isEqualTo(MANY);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aClientThatSaysNothingIsKeptHoweverLongThereIsNoOwner() throws Exception {
        Relay impatient = impatient();
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            impatient.owner(null);
            broker.server.show(impatient);
            assertEnded(taken);
            try (Socket without = broker.connect(TestRelay.PLAIN)) {
                assertEnded(without);
            }
            TestRelay.setOwner(impatient, next);
            client.getOutputStream().write(FRAME);
            try (Socket again = next.accept()) {
                arrive(again, FRAME);
            }
        }
    }

    @Test
    void aClientWithARequestIsClosedIfNoOwnerComes() throws Exception {
        Relay impatient = impatient();
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            impatient.owner(null);
            broker.server.show(impatient);
            assertEnded(taken);
            client.getOutputStream().write(FRAME);
            assertEnded(client);
        }
        broker.settle();
        assertThat(impatient.bufferedBytes()).isZero();
    }

    private Relay impatient() {
        Relay impatient = new Relay(Transports.TESTED, broker.failures, 0, SHORT_PATIENCE_MILLIS);
        TestRelay.setOwner(impatient, owner);
        broker.server.show(impatient);
        return impatient;
    }

    // ---- given to the front of this broker ----

    private static final class Reading extends ChannelInboundHandlerAdapter {
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private final CompletableFuture<byte[]> all = new CompletableFuture<>();
        private final int bytes;

        Reading(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
            ByteBuf part = (ByteBuf) message;
            part.readBytes(read, part.readableBytes());
            part.release();
            if (read.size() >= bytes) {
                all.complete(read.toByteArray());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theNextFrontGetsWhatWasReadAndTheRest(boolean saysItBefore) throws Exception {
        byte[] request = frame(1 << 17);
        Reading reading = new Reading(request.length);
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            broker.relay.owner(null);
            end(taken);
            if (saysItBefore) {
                client.getOutputStream().write(request, 0, FRAME.length);
                broker.awaitWaiting(1);
            }
            broker.relay.handOver(
                    (channel, listener, activity) -> channel.pipeline().addLast(reading));
            client.getOutputStream()
                    .write(
                            request,
                            saysItBefore ? FRAME.length : 0,
                            request.length - (saysItBefore ? FRAME.length : 0));
            assertThat(reading.all.get(10, TimeUnit.SECONDS)).isEqualTo(request);
            assertThat(broker.relay.waiting()).isZero();
            assertThat(broker.relay.bufferedBytes()).isZero();
        }
    }

    @Test
    void aFrontThatFailsClosesTheClient() throws Exception {
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            broker.relay.owner(null);
            end(taken);
            client.getOutputStream().write(FRAME);
            broker.awaitWaiting(1);
            broker.relay.handOver((channel, listener, activity) -> {
                throw new IllegalStateException("no front");
            });
            assertEnded(client);
        }
    }

    // ---- closed ----

    /** Nobody but the client can repeat its request. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientWithARequestInFlightIsClosed(boolean ownerEnds) throws Exception {
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            pass(client, taken, FRAME);
            loseOwner(taken, ownerEnds);
            assertEnded(client);
        }
    }

    private void loseOwner(Socket taken, boolean ends) throws Exception {
        if (ends) {
            end(taken);
        } else {
            broker.changeOwner(next);
            assertEnded(taken);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aClientIsKeptOnlyIfAllPipelinedRequestsHaveTheirAnswers(int answers) throws Exception {
        int requests = 3;
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            for (int i = 0; i < requests; i++) {
                pass(client, taken, FRAME);
            }
            for (int i = 0; i < answers; i++) {
                pass(taken, client, FRAME);
            }
            loseOwner(taken, true);
            if (answers < requests) {
                assertEnded(client);
                return;
            }
            TestRelay.setOwner(broker.relay, next);
            client.getOutputStream().write(FRAME);
            try (Socket again = next.accept()) {
                arrive(again, FRAME);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 43})
    void aClientThatHasSentAPartOfARequestIsClosed(int bytes) throws Exception {
        byte[] part = new byte[bytes];
        System.arraycopy(FRAME, 0, part, 0, bytes);
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            pass(client, taken, part);
            loseOwner(taken, true);
            assertEnded(client);
        }
    }

    @Test
    void aClientThatGotAPartOfAnAnswerIsClosedAfterThat() throws Exception {
        byte[] part = new byte[FRAME.length - 1];
        System.arraycopy(FRAME, 0, part, 0, part.length);
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            pass(client, taken, FRAME);
            taken.getOutputStream().write(part);
            end(taken);
            arrive(client, part);
            assertEnded(client);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void aClientWhoseFramesMeanNothingIsClosed(int length) throws Exception {
        byte[] strange =
                java.nio.ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            pass(client, taken, strange);
            pass(taken, client, strange);
            loseOwner(taken, true);
            assertEnded(client);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientOfAListenerWithLoginsIsClosed(boolean ownerEnds) throws Exception {
        try (Socket client = broker.connect(TestRelay.LOGIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            loseOwner(taken, ownerEnds);
            assertEnded(client);
        }
    }

    // ---- clients that go ----

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientMayGoWhileItHasNoOwner(boolean hasSaidSomething) throws Exception {
        Relay impatient = impatient();
        try (Socket client = broker.connect(TestRelay.PLAIN);
                Socket taken = owner.accept()) {
            ask(client, taken);
            impatient.owner(null);
            broker.server.show(impatient);
            assertEnded(taken);
            if (hasSaidSomething) {
                client.getOutputStream().write(FRAME);
            }
        }
        broker.awaitClients(TestRelay.PLAIN, 0);
        assertThat(impatient.waiting()).isZero();
        assertThat(impatient.bufferedBytes()).isZero();
    }
}
