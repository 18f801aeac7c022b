package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker answers the requests of the {@link RightsMatrix} as Kafka 4.3.1 does. */
@SeveralBrokers
final class RightsMatrixIT {
    /** The login itself. */
    private static final Set<ApiKeys> NO_ROW = EnumSet.of(ApiKeys.SASL_HANDSHAKE, ApiKeys.SASL_AUTHENTICATE);

    /** What they answer depends on whether there are logins and rules at all. */
    private static final Set<ApiKeys> OF_SECURITY = EnumSet.of(
            ApiKeys.DESCRIBE_ACLS,
            ApiKeys.CREATE_ACLS,
            ApiKeys.DELETE_ACLS,
            ApiKeys.CREATE_DELEGATION_TOKEN,
            ApiKeys.RENEW_DELEGATION_TOKEN,
            ApiKeys.EXPIRE_DELEGATION_TOKEN,
            ApiKeys.DESCRIBE_DELEGATION_TOKEN);

    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory, Map.of("node.id", "1"));
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    @Test
    void eachApiHasARow() throws Exception {
        assertThat(served()).isSubsetOf(union(RightsRequests.keys(), NO_ROW));
    }

    private Set<ApiKeys> served() throws IOException {
        Set<ApiKeys> served = EnumSet.noneOf(ApiKeys.class);
        try (Wire wire = new Wire(broker)) {
            ApiVersionsResponseData response =
                    (ApiVersionsResponseData) wire.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequestData());
            response.apiKeys().forEach(api -> served.add(ApiKeys.forId(api.apiKey())));
        }
        return served;
    }

    private static Set<ApiKeys> union(List<ApiKeys> some, Set<ApiKeys> others) {
        Set<ApiKeys> all = EnumSet.copyOf(others);
        all.addAll(some);
        return all;
    }

    @Test
    void withoutRulesEveryClientGetsTheAnswersThatKafkaGivesToASuperUser() throws Exception {
        Set<ApiKeys> served = served();
        served.removeAll(OF_SECURITY);
        List<String> answers = new ArrayList<>();
        try (Wire wire = new Wire(broker)) {
            for (RightsRequests.Row row : RightsRequests.prepare(wire).rows()) {
                if (served.contains(row.key())) {
                    answers.add(row.name());
                    answers.add(RightsOutcome.of(
                            wire.ask(row.key(), row.version(), row.request().of(RightsUsers.SUPER))));
                }
            }
        }

        assertThat(answers).containsExactlyElementsOf(ofSuperUser(served));
    }

    private static List<String> ofSuperUser(Set<ApiKeys> wanted) throws IOException {
        List<String> answers = new ArrayList<>();
        for (String line : kafkas(wanted::contains).lines().toList()) {
            if (!line.startsWith(" ")) {
                answers.add(line);
                answers.add("");
                continue;
            }
            String answer = line.substring(2, line.lastIndexOf(": "));
            int last = answers.size() - 1;
            boolean isOfSuper = line.endsWith(" " + RightsUsers.SUPER);
            answers.set(last, isOfSuper || answers.get(last).isEmpty() ? answer : answers.get(last));
        }
        return answers;
    }

    /** What Kafka 4.3.1 answers to the requests of these APIs. */
    static String kafkas(Predicate<ApiKeys> wanted) throws IOException {
        String all;
        try (InputStream in = RightsMatrixIT.class.getResourceAsStream("/rights-matrix.txt")) {
            all = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
        StringBuilder rows = new StringBuilder();
        boolean isWanted = false;
        for (String line : all.lines().toList()) {
            isWanted = line.startsWith(" ")
                    ? isWanted
                    : wanted.test(ApiKeys.valueOf(line.substring(0, line.indexOf(' '))));
            rows.append(isWanted ? line + "\n" : "");
        }
        return rows.toString();
    }
}
