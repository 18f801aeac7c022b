package io.rivulet.it;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A broker whose clients log in and have rules of access, with its console over https. There are three topics, of which
 * two have a record, and a group.
 */
final class SecureConsole implements AutoCloseable {
    /** May do everything. */
    static final String ROOT = "root";

    static final String SECRET = "root:sécret"; // a password may have a colon

    private final TestBroker broker;
    private final Admin admin;
    private final ConsoleClient client;

    SecureConsole(Path directory) throws Exception {
        broker = TestBroker.start(directory, settings());
        Map<String, Object> asRoot = new HashMap<>(SaslIT.as("PLAIN", ROOT, SECRET));
        asRoot.put("bootstrap.servers", broker.bootstrapServers());
        admin = Admin.create(asRoot);
        client = new ConsoleClient("https://localhost:" + port() + "/console/api/", null);
        admin.createTopics(List.of(
                        new NewTopic("orders", 1, (short) 1),
                        new NewTopic("orders.archive", 1, (short) 1),
                        new NewTopic("salaries", 1, (short) 1)))
                .all()
                .get();
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(asRoot, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("orders", "an order")).get();
            producer.send(new ProducerRecord<>("salaries", "a secret")).get();
        }
        admin.alterConsumerGroupOffsets("payroll", Map.of(new TopicPartition("salaries", 0), new OffsetAndMetadata(1)))
                .all()
                .get();
    }

    /** What the broker is started with. The caller owns the map. */
    static Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("listeners", "SASL_PLAINTEXT://localhost:0");
        settings.put("rivulet.users", ROOT + ":" + SECRET);
        settings.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        settings.put("super.users", "User:" + ROOT);
        settings.put("rivulet.tls", "self-signed");
        settings.put("rivulet.console.listener", "https://localhost:0");
        settings.put("rivulet.console.writes", "true");
        settings.put("connection.failed.authentication.delay.ms", "1");
        return settings;
    }

    /** Of the user {@link #ROOT}. */
    Admin admin() {
        return admin;
    }

    /** Gives the user this password. */
    void password(String user, String password) throws Exception {
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                        user, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 8192), password)))
                .all()
                .get();
    }

    /** Allows the operation to the user. */
    static AclBinding rule(String user, ResourcePattern resource, AclOperation operation) {
        return new AclBinding(
                resource, new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }

    void allow(AclBinding... rules) throws Exception {
        admin.createAcls(List.of(rules)).all().get();
    }

    // ---- clients of the console ----

    /** Without a login. */
    ConsoleClient client() {
        return client;
    }

    ConsoleClient as(String user, String password) {
        return client.as(user, password);
    }

    ConsoleClient root() {
        return as(ROOT, SECRET);
    }

    int port() {
        return portOf(broker);
    }

    private static int portOf(TestBroker of) {
        return Objects.requireNonNull(of.consoleAddress()).getPort();
    }

    SSLSocket socket() throws IOException {
        return socket(broker);
    }

    /** A connection to the console of the broker. */
    static SSLSocket socket(TestBroker of) throws IOException {
        SSLSocket socket = (SSLSocket)
                Certificates.context(null, () -> {}).getSocketFactory().createSocket("localhost", portOf(of));
        socket.setSoTimeout((int) Clients.PATIENCE.toMillis());
        return socket;
    }

    /** Asks for a page, and for the end of the connection after it. */
    static void send(Socket socket, String page, String... headers) throws IOException {
        String request = "GET /console/api/" + page + " HTTP/1.1\r\nConnection: close\r\n"
                + String.join("\r\n", headers) + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        admin.close();
        broker.close();
    }
}
