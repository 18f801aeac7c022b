package io.rivulet.protocol.record.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.Random;

/** Bytes to compress, and helpers to decompress them. */
final class Bytes {
    static final int LIMIT = 64 * 1024 * 1024;

    private Bytes() {}

    /** 300 random bytes, repeated: compresses well, but only with matches. */
    static byte[] cyclic(int length) {
        byte[] bytes = new byte[length];
        int state = 1;
        for (int i = 0; i < length; i++) {
            if (i < 300) {
                state = (state * 1_103_515_245 + 12_345) & Integer.MAX_VALUE;
                bytes[i] = (byte) (state >> 16);
            } else {
                bytes[i] = bytes[i - 300];
            }
        }
        return bytes;
    }

    /** Runs of random length with few values: literals and matches of all sizes. */
    static byte[] mixed(int length, Random random) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; ) {
            int run = 1 + random.nextInt(random.nextInt(20) == 0 ? 5_000 : 12);
            int distance = 1 + random.nextInt(random.nextBoolean() ? 70_000 : 40);
            boolean copied = random.nextInt(3) > 0 && distance <= i;
            for (int end = Math.min(length, i + run); i < end; i++) {
                bytes[i] = copied ? bytes[i - distance] : (byte) random.nextInt(256);
            }
        }
        return bytes;
    }

    static byte[] compressed(Codec codec, byte[] bytes) {
        ByteBuf target = Unpooled.buffer();
        codec.compress(Unpooled.wrappedBuffer(bytes), target, codec.defaultLevel());
        return toArray(target);
    }

    static byte[] toArray(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    static byte[] decompressed(Codec codec, byte[] compressed) {
        return decompressed(codec, compressed, LIMIT);
    }

    static byte[] decompressed(Codec codec, byte[] compressed, long limit) {
        try (Decompressor decompressor = codec.newDecompressor()) {
            decompressor.begin(Unpooled.wrappedBuffer(compressed), 0, compressed.length, limit);
            return drain(decompressor, 4_000);
        }
    }

    static byte[] drain(Decompressor decompressor, int step) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] chunk = new byte[step];
        for (int read; (read = decompressor.read(chunk, 0, step)) >= 0; ) {
            out.write(chunk, 0, read);
        }
        return out.toByteArray();
    }

    /** Like {@link #drain}, but does not keep the output. */
    static long count(Decompressor decompressor, byte[] chunk) {
        long total = 0;
        for (int read; (read = decompressor.read(chunk, 0, chunk.length)) >= 0; ) {
            total += read;
        }
        return total;
    }
}
