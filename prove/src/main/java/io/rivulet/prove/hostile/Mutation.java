package io.rivulet.prove.hostile;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** Changes the bytes of a frame. Stateless. */
final class Mutation {
    private static final int[] LENGTHS = {0, 1, -1, 0x7f, 0x80, 0xffff, 0x7fffffff, 0x80000000, 100_000_000};

    private Mutation() {}

    static byte[] of(byte[] frame, Random random) {
        byte[] bytes = frame.clone();
        int at = Integer.BYTES + random.nextInt(bytes.length - Integer.BYTES);
        switch (random.nextInt(8)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2 -> {
                for (int i = at; i < Math.min(bytes.length, at + 8); i++) {
                    bytes[i] = (byte) random.nextInt();
                }
            }
            case 3 -> bytes = withLength(Arrays.copyOf(bytes, at)); // ends too early
            case 4 -> bytes = spliced(bytes, at, random);
            case 5 ->
                putInt(bytes, Math.min(at, bytes.length - Integer.BYTES), LENGTHS[random.nextInt(LENGTHS.length)]);
            case 6 -> putInt(bytes, 0, LENGTHS[random.nextInt(LENGTHS.length)]); // lies about its length
            default -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0x80); // a varint that does not end
        }
        return bytes;
    }

    /** Repeats a part of the frame inside it. */
    private static byte[] spliced(byte[] bytes, int at, Random random) {
        int from = Integer.BYTES + random.nextInt(bytes.length - Integer.BYTES);
        int length = Math.min(bytes.length - from, 1 + random.nextInt(64));
        ByteBuffer all = ByteBuffer.allocate(bytes.length + length);
        all.put(bytes, 0, at).put(bytes, from, length).put(bytes, at, bytes.length - at);
        return withLength(all.array());
    }

    private static byte[] withLength(byte[] bytes) {
        putInt(bytes, 0, bytes.length - Integer.BYTES);
        return bytes;
    }

    private static void putInt(byte[] bytes, int at, int value) {
        ByteBuffer.wrap(bytes).putInt(at, value);
    }
}
