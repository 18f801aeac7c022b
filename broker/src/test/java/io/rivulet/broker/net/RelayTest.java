package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a broker that relays, in front of a socket that stands for the owner. */
final class RelayTest {
    private static final int MANY_BYTES = 16 << 20;
    private static final int END = -1;
    private static final long MANY = 50;
    private static final long IDLE_MILLIS = 500;
    private static final long PATIENCE_MILLIS = 500;

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestRelay broker;
    private ServerSocket owner;

    @BeforeEach
    void start() throws Exception {
        broker = new TestRelay(directory);
        owner = TestRelay.owner();
    }

    @AfterEach
    void stop() throws Exception {
        owner.close();
        broker.stop();
        threads.shutdownNow();
    }

    private void hasOwner() {
        TestRelay.setOwner(broker.relay, owner);
    }

    private Socket connect(int listener) throws IOException {
        return broker.connect(listener);
    }

    @Test
    void allBytesArriveInBothDirections() throws Exception {
        hasOwner();
        byte[] bytes = new byte[MANY_BYTES];
        new Random(1).nextBytes(bytes);
        try (Socket client = connect(0);
                Socket taken = owner.accept()) {
            CompletableFuture<byte[]> there = readLater(taken);
            client.getOutputStream().write(bytes);
            assertThat(there.get()).isEqualTo(bytes);
            CompletableFuture<byte[]> back = readLater(client);
            taken.getOutputStream().write(bytes);
            assertThat(back.get()).isEqualTo(bytes);
        }
    }

    private CompletableFuture<byte[]> readLater(Socket from) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        byte[] read = new byte[MANY_BYTES];
                        new DataInputStream(from.getInputStream()).readFully(read);
                        return read;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                threads);
    }

    @Test
    void aClientWaitsForAnOwner() throws Exception {
        try (Socket client = connect(0)) {
            client.getOutputStream().write(7);
            hasOwner();
            try (Socket taken = owner.accept()) {
                assertThat(taken.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    @Test
    void aClientThatWaitsIsKeptWhenTheOwnerChanges() throws Exception {
        try (Socket client = connect(0)) {
            client.getOutputStream().write(7);
            awaitOne();
            broker.server.show(broker.relay);
            hasOwner();
            try (Socket taken = owner.accept()) {
                assertThat(taken.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    @Test
    void whoeverAnswersNextGetsTheClientsThatWaitAndAllThatTheySent() throws Exception {
        CompletableFuture<Integer> read = new CompletableFuture<>();
        Front next = (channel, listener, activity) -> channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                ByteBuf bytes = (ByteBuf) message;
                read.complete((int) bytes.readByte());
                bytes.release();
            }
        });
        try (Socket client = connect(0)) {
            client.getOutputStream().write(7);
            awaitOne();
            assertThat(broker.relay.handOver(next)).hasSize(1);
            assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo(7);
            hasOwner(); // which does not get it, too
            assertThat(broker.relay.handOver(next)).isEmpty();
        }
    }

    private void awaitOne() throws Exception {
        broker.awaitClients(0, 1);
    }

    @Test
    void whatTheOwnerSaidLastArrivesBeforeTheEnd() throws Exception {
        hasOwner();
        try (Socket client = connect(0);
                Socket taken = owner.accept()) {
            taken.getOutputStream().write(7);
            taken.shutdownOutput();
            assertThat(client.getInputStream().read()).isEqualTo(7);
            assertThat(client.getInputStream().read()).isEqualTo(END);
        }
    }

    @Test
    void theOwnerSeesThatAClientIsGone() throws Exception {
        hasOwner();
        try (Socket client = connect(0);
                Socket taken = owner.accept()) {
            client.shutdownOutput();
            assertThat(taken.getInputStream().read()).isEqualTo(END);
        }
    }

    @Test
    void aClientGoesToTheNextOwnerIfOneCannotBeReached() throws Exception {
        hasOwner();
        owner.close();
        try (Socket client = connect(0);
                ServerSocket next = TestRelay.owner()) {
            client.getOutputStream().write(7);
            awaitOne();
            TestRelay.setOwner(broker.relay, next);
            try (Socket taken = next.accept()) {
                assertThat(taken.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    @Test
    void aClientIsNotKeptForEverIfNoOwnerCanBeReached() throws Exception {
        Relay impatient = new Relay(Transports.TESTED, broker.failures, 0, PATIENCE_MILLIS);
        TestRelay.setOwner(impatient, owner);
        broker.server.show(impatient);
        owner.close();
        try (Socket client = connect(0)) {
            assertThat(client.getInputStream().read()).isEqualTo(END);
        }
    }

    @Test
    void aListenerThatTheOwnerDoesNotHaveIsClosed() throws Exception {
        hasOwner();
        try (Socket client = connect(1)) {
            assertThat(client.getInputStream().read()).isEqualTo(END);
        }
    }

    /** As if all brokers advertised localhost, each in a container of its own. */
    @Test
    void anOwnerWhoseAddressLeadsHereMakesNoLoop() throws Exception {
        broker.relay.owner(listener -> broker.server.addresses().get(0));
        try (Socket client = connect(0)) {
            assertThat(client.getInputStream().read()).isEqualTo(END);
        }
        assertThat(broker.server.connections().get(0).opened()).isLessThan(MANY);
    }

    @Test
    void aClientThatReadsNothingIsNotKeptForEver() throws Exception {
        Relay impatient = new Relay(Transports.TESTED, broker.failures, IDLE_MILLIS);
        TestRelay.setOwner(impatient, owner);
        broker.server.show(impatient);
        try (Socket client = connect(0);
                Socket taken = owner.accept()) {
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> writeWithoutEnd(taken), threads);
            assertThat(writing)
                    .failsWithin(1, TimeUnit.MINUTES)
                    .withThrowableOfType(ExecutionException.class)
                    .withRootCauseInstanceOf(IOException.class);
            assertThat(client.isClosed()).isFalse();
        }
    }

    private static void writeWithoutEnd(Socket to) {
        byte[] bytes = new byte[1 << 16];
        try {
            while (!Thread.currentThread().isInterrupted()) {
                to.getOutputStream().write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aClientThatCannotBeRelayedIsNotKept() throws Exception {
        try (Socket client = connect(0)) {
            awaitOne();
            broker.relay.owner(listener -> {
                throw new IllegalStateException("not an address");
            });
            assertThat(client.getInputStream().read()).isEqualTo(END);
        }
    }
}
