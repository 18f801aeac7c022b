package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.LongRequests;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.QuotaSettings;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.quota.ClientQuotas;
import io.rivulet.broker.quota.QuotaRules;
import io.rivulet.broker.sasl.Logins;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.broker.tls.ClientSockets;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.broker.tls.SelfSigned;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who a client is, by the certificate that it shows. */
final class CertificatePrincipalTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    private Path directory;

    private final FailureLatch failures = new FailureLatch();
    private final BlockingQueue<Principal> asked = new LinkedBlockingQueue<>();
    private final SelfSigned broker = ClientSockets.certificate("broker");
    private final SelfSigned alice = ClientSockets.certificate("Alice");
    private Store store;
    private ReadPool readers;

    @BeforeEach
    void open() throws Exception {
        store = LocalStore.open(StoreConfig.DEFAULT, StoreEnvironment.local(directory), Attachments.of(List.of()));
        readers = new ReadPool(store, 1, failures);
    }

    @AfterEach
    void close() throws Exception {
        readers.close();
        store.close();
        assertThat(failures.cause()).isNull();
    }

    private void ask(@Nullable SelfSigned shown, String... settings) throws Exception {
        ask(1, ClientSockets.context(shown), settings);
    }

    /** Sends a request for which the broker asks who the client is, on each of some connections. */
    private void ask(int connections, SSLContext client, String... settings) throws Exception {
        BrokerConfig config = config(settings);
        RouteTable routes = new RouteTable();
        routes.add(List.of(Route.of(ApiKey.API_VERSIONS, (call, request) -> {
            asked.add(call.access().principal());
            call.answer(new ApiVersionsResponse());
        })));
        ResponseMemory answers = new ResponseMemory(BYTES, Integer.MAX_VALUE, System::nanoTime);
        try (EventLoops loops = new EventLoops("event-loop", 1, Transports.TESTED, failures);
                Encryption encryption = new Encryption(config, failures);
                Logins logins = new Logins(config, new ScramUsers(), failures);
                BrokerServer server = BrokerServer.start(
                        config,
                        Network.sockets(
                                Transports.TESTED, new EventLoops("acceptor", 1, Transports.TESTED, failures), loops),
                        new Service(
                                routes,
                                new LongRequests(readers, new LongAnswers(readers, answers, answers, BYTES), BYTES),
                                new ClientQuotas(new QuotaRules(), QuotaSettings.of(config), System::nanoTime),
                                new ListenerSecurity(
                                        encryption, logins, (principal, host) -> Access.unlimited(principal)),
                                config::connections,
                                AnswerRule.ALWAYS),
                        null,
                        Environment.of(StoreClock.system(0), failures))) {
            for (int i = 0; i < connections; i++) {
                ask(client, server.addresses().get(0));
            }
        }
    }

    private static void ask(SSLContext client, InetSocketAddress broker) throws IOException {
        try (Socket socket = client.getSocketFactory().createSocket("localhost", broker.getPort())) {
            ByteBuf request = request();
            request.readBytes(socket.getOutputStream(), request.readableBytes());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readFully(new byte[in.readInt()]);
        }
    }

    private BrokerConfig config(String... settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "listeners", "SSL://localhost:0",
                "log.dirs", directory.toString(),
                "ssl.keystore.type", "PEM",
                "ssl.keystore.key", broker.privateKey(),
                "ssl.keystore.certificate.chain", broker.certificate(),
                "ssl.truststore.type", "PEM",
                "ssl.truststore.certificates", alice.certificate()));
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            all.put(parts[0], parts[1]);
        }
        return BrokerConfig.of(all);
    }

    private static ByteBuf request() {
        ByteBuf frame = Unpooled.buffer().writeInt(0);
        new RequestHeader()
                .requestApiKey(ApiKey.API_VERSIONS.id())
                .correlationId(1)
                .write(frame, ApiKey.API_VERSIONS.requestHeaderVersion((short) 0));
        new ApiVersionsRequest().write(frame, (short) 0);
        return frame.setInt(0, frame.readableBytes() - Integer.BYTES);
    }

    @Test
    void aClientIsCalledLikeTheSubjectOfItsCertificate() throws Exception {
        ask(alice, "ssl.client.auth=required");
        ask(alice, "ssl.client.auth=requested", "ssl.enabled.protocols=TLSv1.2");

        assertThat(asked).containsExactly(Principal.user("CN=Alice"), Principal.user("CN=Alice"));
    }

    @Test
    void aClientWithoutACertificateIsAnonymous() throws Exception {
        ask(null, "ssl.client.auth=requested");
        ask(alice, "ssl.client.auth=none");

        assertThat(asked).containsExactly(Principal.ANONYMOUS, Principal.ANONYMOUS);
    }

    @Test
    void rulesSayWhatClientsAreCalled() throws Exception {
        ask(
                alice,
                "ssl.client.auth=required",
                "ssl.principal.mapping.rules=DEFAULT",
                "listener.name.ssl.ssl.principal.mapping.rules=RULE:^CN=(.*)$/$1/L");

        assertThat(asked).containsExactly(Principal.user("alice"));
    }

    /** A resumed session costs no signature. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientThatComesBackResumesItsSessionUnderTheSameName(String version) throws Exception {
        AtomicInteger full = new AtomicInteger();
        SSLContext client = ClientSockets.context(alice, full::incrementAndGet);

        ask(3, client, "ssl.client.auth=required", "ssl.enabled.protocols=" + version);

        assertThat(full).hasValue(1);
        assertThat(asked).hasSize(3).containsOnly(Principal.user("CN=Alice"));
    }

    /** Its requests may already be there when its handshake ends. */
    @Test
    void aClientThatNoRuleNamesIsSentAway() {
        assertThatThrownBy(
                        () -> ask(alice, "ssl.client.auth=required", "ssl.principal.mapping.rules=RULE:^O=(.*)$/$1/"))
                .isInstanceOf(IOException.class);
        assertThat(asked).isEmpty();
    }
}
