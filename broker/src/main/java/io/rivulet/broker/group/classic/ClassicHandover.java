package io.rivulet.broker.group.classic;

import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The classic members of a group that changes its protocol. Immutable. */
public record ClassicHandover(int generation, List<Member> members) {
    /** @param assignment in the encoding of the client */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Member(
            String id,
            @Nullable String instanceId,
            String clientId,
            String clientHost,
            int sessionTimeoutMillis,
            int rebalanceTimeoutMillis,
            List<JoinGroupRequestProtocol> protocols,
            byte[] assignment) {}
}
