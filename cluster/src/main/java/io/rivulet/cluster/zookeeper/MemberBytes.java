package io.rivulet.cluster.zookeeper;

import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Member;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A member in its node: the number of its incarnation (8, big-endian), then its endpoints in UTF-8. Stateless. */
final class MemberBytes {
    private static final int ENDPOINTS_AT = 8;

    private MemberBytes() {}

    static byte[] encode(Member member) {
        byte[] endpoints = member.endpoints().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(ENDPOINTS_AT + endpoints.length)
                .putLong(member.who().number())
                .put(endpoints)
                .array();
    }

    static Member decode(String name, byte[] bytes) throws IOException {
        if (bytes.length < ENDPOINTS_AT) {
            throw new IOException("the node of member " + name + " is altered");
        }
        try {
            return new Member(
                    new Incarnation(
                            Integer.parseInt(name), ByteBuffer.wrap(bytes).getLong()),
                    new String(bytes, ENDPOINTS_AT, bytes.length - ENDPOINTS_AT, StandardCharsets.UTF_8));
        } catch (NumberFormatException e) {
            throw new IOException("a member is called " + name, e);
        }
    }
}
