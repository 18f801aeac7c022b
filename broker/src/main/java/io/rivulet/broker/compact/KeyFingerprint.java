package io.rivulet.broker.compact;

import io.netty.buffer.ByteBuf;
import java.security.SecureRandom;

/**
 * A fingerprint of 128 bits of a key: SipHash-2-4 with a random secret. Two keys with the same fingerprint would lose a
 * record, and without the secret a client can't make such keys. Allocates nothing. Owned by: the store's background
 * thread.
 */
final class KeyFingerprint {
    private static final long V0 = 0x736f6d6570736575L;
    private static final long V1 = 0x646f72616e646f6dL;
    private static final long V2 = 0x6c7967656e657261L;
    private static final long V3 = 0x7465646279746573L;
    /** Constants of the variant with 128 bits: at the start and before the first half, and before the second half. */
    private static final int LONG_OUTPUT = 0xee;

    private static final int SECOND_HALF = 0xdd;
    private static final int ROUNDS_AT_END = 4;
    /** The last word has the length, in its highest byte. */
    private static final int LENGTH_SHIFT = 56;

    private final long secret0;
    private final long secret1;
    private long v0;
    private long v1;
    private long v2;
    private long v3;
    private long first;
    private long second;

    KeyFingerprint(long secret0, long secret1) {
        this.secret0 = secret0;
        this.secret1 = secret1;
    }

    static KeyFingerprint ofRandomSecret() {
        SecureRandom random = new SecureRandom();
        return new KeyFingerprint(random.nextLong(), random.nextLong());
    }

    void of(ByteBuf buffer, int index, int length) {
        v0 = secret0 ^ V0;
        v1 = secret1 ^ V1 ^ LONG_OUTPUT;
        v2 = secret0 ^ V2;
        v3 = secret1 ^ V3;
        int wholeWords = length & -Long.BYTES;
        for (int at = index; at < index + wholeWords; at += Long.BYTES) {
            mix(buffer.getLongLE(at));
        }
        mix(lastWord(buffer, index + wholeWords, length));
        first = half(LONG_OUTPUT, 0);
        second = half(0, SECOND_HALF);
    }

    private static long lastWord(ByteBuf buffer, int index, int length) {
        long word = (long) length << LENGTH_SHIFT;
        for (int i = 0; i < length % Long.BYTES; i++) {
            word |= (long) buffer.getUnsignedByte(index + i) << (Byte.SIZE * i);
        }
        return word;
    }

    private void mix(long word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }

    private long half(int intoV2, int intoV1) {
        v2 ^= intoV2;
        v1 ^= intoV1;
        for (int i = 0; i < ROUNDS_AT_END; i++) {
            round();
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
        long a = v0 + v1;
        long b = Long.rotateLeft(v1, 13) ^ a;
        long c = v2 + v3;
        long d = Long.rotateLeft(v3, 16) ^ c;
        a = Long.rotateLeft(a, 32) + d;
        c += b;
        v0 = a;
        v1 = Long.rotateLeft(b, 17) ^ c;
        v2 = Long.rotateLeft(c, 32);
        v3 = Long.rotateLeft(d, 21) ^ a;
    }

    long first() {
        return first;
    }

    long second() {
        return second;
    }
}
