package io.rivulet.broker.group.consumer;

import java.util.Arrays;
import java.util.List;

/**
 * The session timeout and protocols that a classic member joined with, in a group of the consumer protocol. Immutable.
 */
record ClassicMetadata(int sessionTimeoutMillis, List<Protocol> protocols) {
    boolean supports(String name) {
        return protocols.stream().anyMatch(protocol -> protocol.name().equals(name));
    }

    /** A client-side assignor and the metadata for it. */
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
