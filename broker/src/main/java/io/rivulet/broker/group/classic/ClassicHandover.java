package io.rivulet.broker.group.classic;

import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The members of the classic protocol, when their group changes to the other protocol or back. Immutable. */
public record ClassicHandover(int generation, List<Member> members) {
    /** @param assignment as its client reads it */
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
