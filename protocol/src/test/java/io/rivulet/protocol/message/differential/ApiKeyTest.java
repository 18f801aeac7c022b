package io.rivulet.protocol.message.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class ApiKeyTest {
    @Test
    void theApisAreThoseThatBrokersOfferToClients() {
        Set<Short> theirs = EnumSet.allOf(ApiMessageType.class).stream()
                .filter(type -> type.listeners().contains(ApiMessageType.ListenerType.BROKER))
                .map(ApiMessageType::apiKey)
                .collect(Collectors.toSet());
        assertThat(Arrays.stream(ApiKey.values()).map(ApiKey::id)).containsExactlyInAnyOrderElementsOf(theirs);
    }

    @Test
    void versionsAndHeadersAreThoseOfTheClients() {
        for (ApiKey key : ApiKey.values()) {
            ApiMessageType theirs = ApiMessageType.fromApiKey(key.id());
            assertThat(key.apiName()).isEqualTo(theirs.name);
            assertThat(key.name()).isEqualTo(ApiKeys.forId(key.id()).name());
            assertThat(key.lowestVersion()).isEqualTo(theirs.lowestSupportedVersion());
            assertThat(key.highestVersion()).isEqualTo(theirs.highestSupportedVersion(true));
            assertThat(key.latestVersionUnstable())
                    .isEqualTo(theirs.highestSupportedVersion(true) != theirs.highestSupportedVersion(false));
            for (short v = key.lowestVersion(); v <= key.highestVersion(); v++) {
                assertThat(key.requestHeaderVersion(v)).isEqualTo(theirs.requestHeaderVersion(v));
                assertThat(key.responseHeaderVersion(v)).isEqualTo(theirs.responseHeaderVersion(v));
            }
        }
    }

    @Test
    void anIdThatNoClientFacingApiHasGivesNull() {
        assertThat(ApiKey.forId(ApiKey.FETCH.id())).isSameAs(ApiKey.FETCH);
        for (int id : new int[] {Integer.MIN_VALUE, -1, ApiKeys.VOTE.id, 10_000, Integer.MAX_VALUE}) {
            assertThat(ApiKey.forId(id)).isNull();
        }
    }

    @Test
    void aKeyReadsWhatItsOwnMessagesWrite() throws ReflectiveOperationException {
        for (ApiKey key : ApiKey.values()) {
            short version = key.highestVersion();
            Message request = create(key.apiName() + "Request");
            assertThat(key.readRequest(written(request, version), version)).isEqualTo(request);
            Message response = create(key.apiName() + "Response");
            assertThat(key.readResponse(written(response, version), version)).isEqualTo(response);
        }
    }

    private static Message create(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName(ApiKey.class.getPackageName() + "." + name);
        return (Message) type.getConstructor().newInstance();
    }

    private static WireReader written(Message message, short version) {
        ByteBuf bytes = Unpooled.buffer();
        message.write(bytes, version);
        return new WireReader(bytes);
    }
}
