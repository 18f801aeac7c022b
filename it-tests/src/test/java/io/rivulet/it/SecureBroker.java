package io.rivulet.it;

import static io.rivulet.it.Certificates.certificate;

import io.rivulet.broker.tls.SelfSigned;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A broker that lets clients in with a password or with a certificate, and has rules of access. The users alice and bob
 * exist and have certificates. They may do nothing before {@link #allow}.
 */
final class SecureBroker implements AutoCloseable {
    /** How a user may log in. */
    enum Way {
        SCRAM_SHA_256,
        SCRAM_SHA_512,
        CERTIFICATE;

        String principalOf(String user) {
            return this == CERTIFICATE ? "User:CN=" + user : "User:" + user;
        }

        private String mechanism() {
            return name().replace('_', '-');
        }

        @Override
        public String toString() {
            return mechanism().toLowerCase(Locale.ROOT);
        }
    }

    private static final List<String> USERS = List.of("alice", "bob");
    private static final String ADMIN_PASSWORD = "the administrator's";
    private static final int ITERATIONS = 4096;

    private final Path directory;
    private final Path trusted;
    private final TestBroker broker;
    private final Admin admin;

    SecureBroker(Path directory) throws Exception {
        this(directory, Map.of());
    }

    SecureBroker(Path directory, Map<String, String> settings) throws Exception {
        this.directory = directory;
        SelfSigned server = certificate("server", List.of("localhost", "127.0.0.1"));
        trusted = Files.writeString(directory.resolve("trusted.pem"), server.certificate());
        StringBuilder certificates = new StringBuilder();
        for (String user : USERS) {
            SelfSigned own = certificate(user, List.of(user));
            Files.writeString(certificateOf(user), own.certificate() + own.privateKey());
            try (OutputStream out = Files.newOutputStream(directory.resolve(user + ".p12"))) {
                Certificates.store("PKCS12", own, Login.STORE_PASSWORD).store(out, Login.STORE_PASSWORD.toCharArray());
            }
            certificates.append(own.certificate());
        }
        Map<String, String> all = new HashMap<>(Certificates.pem(server));
        all.put("listeners", "SASL_SSL://localhost:0,SSL://localhost:0");
        all.put("sasl.enabled.mechanisms", "SCRAM-SHA-256,SCRAM-SHA-512");
        all.put("rivulet.users", "admin:" + ADMIN_PASSWORD);
        all.put("super.users", "User:admin");
        all.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        all.put("listener.name.ssl.ssl.client.auth", "required");
        all.put("ssl.truststore.type", "PEM");
        all.put("ssl.truststore.certificates", certificates.toString());
        all.put("group.initial.rebalance.delay.ms", "0");
        all.putAll(settings);
        broker = TestBroker.start(directory.resolve("data"), all);
        Map<String, Object> login = Login.password(trusted, "SCRAM-SHA-256", "admin", ADMIN_PASSWORD)
                .settings();
        login.put("bootstrap.servers", servers());
        admin = Admin.create(login);
        addUsers();
    }

    private void addUsers() throws ExecutionException, InterruptedException {
        // a request may name a user once
        for (ScramMechanism mechanism : List.of(ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)) {
            ScramCredentialInfo info = new ScramCredentialInfo(mechanism, ITERATIONS);
            List<UserScramCredentialAlteration> added = new ArrayList<>();
            USERS.forEach(user -> added.add(new UserScramCredentialUpsertion(user, info, passwordOf(user))));
            admin.alterUserScramCredentials(added).all().get();
        }
    }

    private static String passwordOf(String user) {
        return "the password of " + user;
    }

    private Path certificateOf(String user) {
        return directory.resolve(user + ".pem");
    }

    /** The file with the broker's certificate. */
    Path trusted() {
        return trusted;
    }

    String servers(Way way) {
        int listener = way == Way.CERTIFICATE ? 1 : 0;
        return "localhost:" + broker.addresses().get(listener).getPort();
    }

    /** Of the listener for passwords and tokens. */
    String servers() {
        return broker.bootstrapServers();
    }

    Login login(Way way, String user) {
        return way == Way.CERTIFICATE
                ? Login.certificate(trusted, certificateOf(user))
                : Login.password(trusted, way.mechanism(), user, passwordOf(user));
    }

    /** Of alice with a wrong password, or without a certificate where one is needed. */
    Login wrongLogin(Way way) {
        return way == Way.CERTIFICATE
                ? Login.none(trusted)
                : Login.password(trusted, way.mechanism(), "alice", passwordOf("bob"));
    }

    void createTopic(String name) throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
    }

    long end(String topic) throws ExecutionException, InterruptedException {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    /** Lets the principal do these operations with what has this name, or names that begin with it. */
    void allow(String principal, ResourceType type, PatternType pattern, String name, AclOperation... operations)
            throws ExecutionException, InterruptedException {
        List<AclBinding> rules = new ArrayList<>();
        for (AclOperation operation : operations) {
            rules.add(new AclBinding(
                    new ResourcePattern(type, name, pattern),
                    new AccessControlEntry(principal, "*", operation, AclPermissionType.ALLOW)));
        }
        admin.createAcls(rules).all().get();
    }

    @Override
    public void close() throws IOException {
        admin.close();
        broker.close();
    }
}
