package io.rivulet.broker.group.consumer;

import java.util.Arrays;
import java.util.List;

/**
 * What a member of the classic protocol brought with it when it joined, while its group is on the way between the
 * protocols. Immutable.
 */
record ClassicMetadata(int sessionTimeoutMillis, List<Protocol> protocols) {
    boolean supports(String name) {
        return protocols.stream().anyMatch(protocol -> protocol.name().equals(name));
    }

    /** An assignor of the client's and the subscription that goes with it. */
    @SuppressWarnings("ArrayRecordComponent") // compared by what it holds
    record Protocol(String name, byte[] metadata) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Protocol protocol
                    && name.equals(protocol.name)
                    && Arrays.equals(metadata, protocol.metadata);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }
}
