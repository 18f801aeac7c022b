package io.rivulet.it;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.message.CreateAclsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.awaitility.Awaitility;

/**
 * Sends each request of {@link RightsRequests} as each of the {@link RightsUsers} to a broker, and writes down what it
 * answers: for each request, its different answers, each with the users that got it. All others got the same answer as
 * the user that may do nothing.
 *
 * <p>The answers of Kafka are in the resource rights-matrix.txt. To make it again, start the Kafka of
 * rights-kafka.properties in an empty directory, with {@code main jaas} as the value of
 * {@code listener.name.clients.plain.sasl.jaas.config}, then run {@code main 29192}.
 *
 * <p>Owned by: one thread.
 */
final class RightsMatrix {
    /** Connects a user. */
    @FunctionalInterface
    interface Login {
        Wire as(String user) throws IOException;
    }

    private final Login login;

    RightsMatrix(Login login) {
        this.login = login;
    }

    public static void main(String... args) throws Exception {
        boolean jaas = args[0].equals("jaas");
        int port = jaas ? 0 : Integer.parseInt(args[0]);
        String text = jaas ? RightsUsers.jaas() : new RightsMatrix(user -> login(port, user)).fill(key -> true);
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes what the requests are about, and the rules, and sends the requests of these APIs as all users. */
    String fill(Predicate<ApiKeys> wanted) throws Exception {
        RightsRequests requests;
        try (Wire admin = login.as(RightsUsers.SUPER)) {
            requests = RightsRequests.prepare(admin);
            makeRules(admin);
        }
        awaitRules();
        Map<String, Wire> wires = new LinkedHashMap<>();
        try {
            for (String user : RightsUsers.all()) {
                wires.put(user, login.as(user));
            }
            StringBuilder matrix = new StringBuilder();
            for (RightsRequests.Row row : requests.rows()) {
                if (wanted.test(row.key())) {
                    matrix.append(row.name()).append('\n');
                    ask(row, wires)
                            .forEach((outcome, users) -> matrix.append("  ")
                                    .append(outcome)
                                    .append(": ")
                                    .append(
                                            users.contains(RightsUsers.WITHOUT_RIGHTS)
                                                    ? "all others"
                                                    : String.join(" ", users))
                                    .append('\n'));
                }
            }
            return matrix.toString();
        } finally {
            for (Wire wire : wires.values()) {
                wire.close();
            }
        }
    }

    private static Map<String, List<String>> ask(RightsRequests.Row row, Map<String, Wire> wires) throws IOException {
        Map<String, List<String>> users = new LinkedHashMap<>();
        for (Map.Entry<String, Wire> wire : wires.entrySet()) {
            try {
                ApiMessage answer = wire.getValue()
                        .ask(row.key(), row.version(), row.request().of(wire.getKey()));
                users.computeIfAbsent(RightsOutcome.of(answer), outcome -> new ArrayList<>())
                        .add(wire.getKey());
            } catch (IOException | ReflectiveOperationException e) {
                throw new IOException(row.name() + " of " + wire.getKey(), e);
            }
        }
        return users;
    }

    static Wire login(int port, String user) throws IOException {
        Wire wire = new Wire(port);
        wire.ask(ApiKeys.SASL_HANDSHAKE, (short) 1, new SaslHandshakeRequestData().setMechanism("PLAIN"));
        byte[] token = ("\0" + user + "\0" + user).getBytes(StandardCharsets.UTF_8);
        SaslAuthenticateResponseData answer = (SaslAuthenticateResponseData)
                wire.ask(ApiKeys.SASL_AUTHENTICATE, (short) 2, new SaslAuthenticateRequestData().setAuthBytes(token));
        if (answer.errorCode() != 0) {
            throw new IOException("the login of " + user + " failed: " + answer.errorMessage());
        }
        return wire;
    }

    private static void makeRules(Wire admin) throws IOException {
        CreateAclsResponseData rules =
                (CreateAclsResponseData) admin.ask(ApiKeys.CREATE_ACLS, (short) 3, RightsUsers.rules());
        if (rules.results().stream().anyMatch(result -> result.errorCode() != 0)) {
            throw new IOException("the rules were refused: " + rules);
        }
    }

    /** All rules are made by one request, so one that is in effect shows that all are. */
    private void awaitRules() throws Exception {
        MetadataRequestData mine = new MetadataRequestData()
                .setAllowAutoTopicCreation(false)
                .setTopics(List.of(new MetadataRequestTopic().setName(RightsUsers.MINE)));
        try (Wire wire = login.as(RightsUsers.RIGHT)) {
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .until(() -> RightsOutcome.of(wire.ask(ApiKeys.METADATA, (short) 12, mine))
                            .contains("mine=0"));
        }
    }
}
