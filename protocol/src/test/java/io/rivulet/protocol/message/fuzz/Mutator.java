package io.rivulet.protocol.message.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes a valid frame hostile. The result depends on the random generator only. */
final class Mutator {
    private final RandomGenerator random;

    Mutator(RandomGenerator random) {
        this.random = random;
    }

    /** Usually changes one number of the structure, and then up to three random places. */
    byte[] mutate(Corpus.Frame frame, byte[] other) {
        byte[] bytes = frame.bytes();
        if (!frame.spots().isEmpty() && random.nextInt(4) != 0) {
            bytes = changeSpot(bytes, frame.spots());
        }
        int damages = bytes == frame.bytes() ? random.nextInt(1, 4) : random.nextInt(3);
        for (int i = 0; i < damages; i++) {
            bytes = damage(bytes, other);
        }
        return bytes;
    }

    private byte[] changeSpot(byte[] bytes, List<FrameMap.Spot> spots) {
        FrameMap.Spot spot = spots.get(random.nextInt(spots.size()));
        int remaining = bytes.length - spot.offset() - spot.length();
        int value = switch (random.nextInt(14)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> -1;
            case 3 -> -2;
            case 4 -> Integer.MAX_VALUE;
            case 5 -> Integer.MIN_VALUE;
            case 6 -> remaining;
            case 7 -> remaining + 1;
            case 8 -> remaining + 2;
            case 9 -> spot.value() + 1;
            case 10 -> spot.value() - 1;
            case 11 -> random.nextInt(Math.max(1, remaining));
            case 12 -> 1 << random.nextInt(31);
            default -> random.nextInt();
        };
        return splice(bytes, spot.offset(), spot.length(), encode(spot.encoding(), value));
    }

    private byte[] encode(FrameMap.Encoding encoding, int value) {
        return switch (encoding) {
            case VARINT -> varint(value);
            case INT8 -> new byte[] {(byte) value};
            case INT16 -> ByteBuffer.allocate(2).putShort((short) value).array();
            case INT32 -> ByteBuffer.allocate(4).putInt(value).array();
        };
    }

    /** Sometimes longer than necessary, and sometimes too long. */
    private byte[] varint(int value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int padding = random.nextInt(8) == 0 ? random.nextInt(12) : 0;
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            out.write(rest | 0x80);
            rest >>>= 7;
        }
        out.write(padding > 0 ? rest | 0x80 : rest);
        for (; padding > 0; padding--) {
            out.write(padding > 1 ? 0x80 : random.nextInt(0x80));
        }
        return out.toByteArray();
    }

    private byte[] damage(byte[] bytes, byte[] other) {
        int at = random.nextInt(bytes.length + 1);
        int length = random.nextInt(Math.min(bytes.length - at, 64) + 1);
        return switch (random.nextInt(8)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> splice(bytes, at, 0, noise(random.nextInt(1, 40)));
            case 2 -> splice(bytes, at, length, new byte[0]);
            case 3 -> splice(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + length));
            case 4 -> splice(bytes, at, bytes.length - at, tail(other));
            case 5 -> splice(bytes, at, length, noise(length));
            case 6 -> splice(bytes, bytes.length, 0, noise(random.nextInt(1, 5000)));
            default -> flip(bytes);
        };
    }

    private byte[] tail(byte[] other) {
        return Arrays.copyOfRange(other, random.nextInt(other.length + 1), other.length);
    }

    private byte[] flip(byte[] bytes) {
        byte[] copy = bytes.clone();
        for (int i = random.nextInt(1, 9); i > 0 && copy.length > 0; i--) {
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return copy;
    }

    /** Random bytes, or one byte repeated: a long run of small counts or of the smallest elements. */
    private byte[] noise(int length) {
        byte[] noise = new byte[length];
        if (random.nextBoolean()) {
            random.nextBytes(noise);
        } else {
            Arrays.fill(noise, (byte) random.nextInt(4));
        }
        return noise;
    }

    private static byte[] splice(byte[] bytes, int offset, int length, byte[] middle) {
        byte[] result = new byte[bytes.length - length + middle.length];
        System.arraycopy(bytes, 0, result, 0, offset);
        System.arraycopy(middle, 0, result, offset, middle.length);
        System.arraycopy(bytes, offset + length, result, offset + middle.length, bytes.length - offset - length);
        return result;
    }
}
