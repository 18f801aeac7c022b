package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.access.TestRights;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsResponse.ApiVersion;
import io.rivulet.protocol.wire.WireReader;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No API forgets to ask what its client may do. */
final class RouteRightsTest {
    /** They need no right, or none as long as there is nothing to see. */
    private static final Set<ApiKey> OPEN = EnumSet.of(
            ApiKey.API_VERSIONS, // clients send these before they have said who they are
            ApiKey.SASL_HANDSHAKE,
            ApiKey.SASL_AUTHENTICATE,
            ApiKey.DESCRIBE_ACLS, // without an authorizer there are no rules
            ApiKey.CREATE_ACLS,
            ApiKey.DELETE_ACLS,
            ApiKey.CREATE_DELEGATION_TOKEN, // there are no tokens
            ApiKey.RENEW_DELEGATION_TOKEN,
            ApiKey.EXPIRE_DELEGATION_TOKEN,
            ApiKey.DESCRIBE_DELEGATION_TOKEN,
            ApiKey.DESCRIBE_CLUSTER, // only the operations in its answer depend on rights
            ApiKey.LIST_TRANSACTIONS); // it asks for each transaction that it finds, and here is none

    /** They leave out what the client may not see, without an error. */
    private static final Set<ApiKey> FILTERED = EnumSet.of(ApiKey.LIST_GROUPS);

    private static final Pattern REFUSAL = Pattern.compile(Stream.of(
                    ErrorCode.TOPIC_AUTHORIZATION_FAILED,
                    ErrorCode.GROUP_AUTHORIZATION_FAILED,
                    ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
                    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)
            .map(error -> String.valueOf(error.code()))
            .collect(Collectors.joining("|", "[eE]rrorCode=(", ")[,)]")));

    @RegisterExtension
    final TestBroker broker = new TestBroker();

    private final TestRights nothing = new TestRights();

    @Test
    void eachApiAsksAndRefuses() throws Exception {
        broker.access(nothing);
        for (ApiVersion version : broker.routes().advertised()) {
            ApiKey key = Objects.requireNonNull(ApiKey.forId(version.apiKey()));
            if (!OPEN.contains(key)) {
                Route route = Objects.requireNonNull(broker.routes().find(key.id(), key.lowestVersion()));
                // Old versions name topics, newer ones have ids. The first version of this one has no errors.
                short asked = key == ApiKey.DESCRIBE_LOG_DIRS ? route.highestVersion() : key.lowestVersion();
                requireRefusal(key, asked);
            }
        }
    }

    private void requireRefusal(ApiKey key, short version) throws Exception {
        nothing.asked().clear();
        String answer = broker.ask(
                        key,
                        version,
                        FilledRequests.of(key),
                        (bytes, of) -> key.readResponse(new WireReader(bytes), of))
                .toString();
        assertThat(nothing.asked()).as("questions of %s", key).isNotEmpty();
        if (!FILTERED.contains(key)) {
            assertThat(REFUSAL.matcher(answer).find()).as("%s: %s", key, answer).isTrue();
        }
    }
}
