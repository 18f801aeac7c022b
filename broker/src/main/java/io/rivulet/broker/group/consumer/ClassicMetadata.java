package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import java.util.List;

/**
 * The session timeout and protocols that a classic member joined with, in a group of the consumer protocol. Immutable.
 */
record ClassicMetadata(int sessionTimeoutMillis, List<JoinGroupRequestProtocol> protocols) {
    boolean supports(String name) {
        return protocols.stream().anyMatch(protocol -> protocol.name().equals(name));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClassicMetadata that
                && sessionTimeoutMillis == that.sessionTimeoutMillis
                && JoinCall.areEqual(protocols, that.protocols);
    }

    @Override
    public int hashCode() {
        return sessionTimeoutMillis;
    }
}
