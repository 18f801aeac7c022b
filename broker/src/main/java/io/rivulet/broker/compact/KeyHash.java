package io.rivulet.broker.compact;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * 128 bits of a key. Behind a random salt that nobody is told, so that keys can't be made that have the same: one of them would be
 * lost. Owned by: the store's background thread.
 */
final class KeyHash {
    private static final int SALT_BYTES = 32;

    private final byte[] salt = new byte[SALT_BYTES];
    private final MessageDigest digest;
    private long first;
    private long second;

    KeyHash() {
        new SecureRandom().nextBytes(salt);
        try {
            digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    void of(ByteBuf buffer, int index, int length) {
        digest.update(salt);
        if (buffer.hasArray()) {
            digest.update(buffer.array(), buffer.arrayOffset() + index, length);
        } else {
            digest.update(buffer.nioBuffer(index, length));
        }
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        first = hash.getLong();
        second = hash.getLong();
    }

    long first() {
        return first;
    }

    long second() {
        return second;
    }
}
