package io.rivulet.broker.topic;

import io.rivulet.broker.limit.SecretHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The names of all topics, in a few arrays. An array for each name would cost 16 bytes more, and time in each garbage
 * collection. Names are ASCII, because {@link TopicNames} allows nothing else. No name is ever removed.
 *
 * <pre>
 * name | length 1 | characters |
 * </pre>
 *
 * <p>One thread adds names. Any thread may read a name whose place it got by release and acquire. No name spans two
 * arrays.
 */
final class NameArena {
    private static final int SLAB_SHIFT = 16;
    private static final int SLAB_BYTES = 1 << SLAB_SHIFT;
    private static final int MAX_LENGTH = 255;

    /** Volatile: a reader may see a longer array than the one to which its name was added. */
    private volatile byte[][] slabs = new byte[0][];

    private int count;
    /** In the last slab. */
    private int usedBytes = SLAB_BYTES;

    /** Adds the remaining bytes of the buffer and returns their place. */
    int add(ByteBuffer name) {
        int length = name.remaining();
        if (length > MAX_LENGTH) {
            throw new IllegalStateException("the name of a topic has " + length + " bytes");
        }
        if (usedBytes + 1 + length > SLAB_BYTES) {
            addSlab();
        }
        byte[] slab = slabs[count - 1];
        int at = usedBytes;
        slab[at] = (byte) length;
        name.get(slab, at + 1, length);
        usedBytes = at + 1 + length;
        return (count - 1) << SLAB_SHIFT | at;
    }

    private void addSlab() {
        if (count == slabs.length) {
            if (count == 1 << (Integer.SIZE - SLAB_SHIFT)) {
                throw new IllegalStateException("the names of topics take more than 4 GiB");
            }
            slabs = Arrays.copyOf(slabs, Math.max(1, 2 * count));
        }
        slabs[count++] = new byte[SLAB_BYTES];
        usedBytes = 0;
    }

    private byte[] slab(int place) {
        return slabs[place >>> SLAB_SHIFT];
    }

    private static int at(int place) {
        return place & SLAB_BYTES - 1;
    }

    int length(int place) {
        return length(slab(place), at(place));
    }

    private static int length(byte[] slab, int at) {
        return Byte.toUnsignedInt(slab[at]);
    }

    /** The name. It must not be changed. */
    ByteBuffer bytes(int place) {
        byte[] slab = slab(place);
        int at = at(place);
        return ByteBuffer.wrap(slab, at + 1, length(slab, at));
    }

    String text(int place) {
        byte[] slab = slab(place);
        int at = at(place);
        return new String(slab, at + 1, length(slab, at), StandardCharsets.US_ASCII);
    }

    boolean is(int place, String name) {
        byte[] slab = slab(place);
        int at = at(place);
        boolean same = length(slab, at) == name.length();
        for (int i = 0; same && i < name.length(); i++) {
            same = name.charAt(i) == slab[at + 1 + i];
        }
        return same;
    }

    boolean is(int place, ByteBuffer name) {
        return bytes(place).equals(name);
    }

    int compare(int place, int other) {
        byte[] slab = slab(place);
        int at = at(place);
        byte[] otherSlab = slab(other);
        int otherAt = at(other);
        return Arrays.compare(
                slab,
                at + 1,
                at + 1 + length(slab, at),
                otherSlab,
                otherAt + 1,
                otherAt + 1 + length(otherSlab, otherAt));
    }

    int compare(int place, byte[] name) {
        byte[] slab = slab(place);
        int at = at(place);
        return Arrays.compare(slab, at + 1, at + 1 + length(slab, at), name, 0, name.length);
    }

    /** Whether the name contains this text in lower case; the case of its own letters does not matter. */
    boolean contains(int place, byte[] lowerCase) {
        if (lowerCase.length == 0) {
            return true;
        }
        byte[] slab = slab(place);
        int first = at(place) + 1;
        int last = first + length(slab, first - 1) - lowerCase.length;
        byte lower = lowerCase[0];
        byte upper = lower >= 'a' && lower <= 'z' ? (byte) (lower + 'A' - 'a') : lower;
        for (int from = first; from <= last; from++) {
            byte here = slab[from];
            if ((here == lower || here == upper) && isAt(slab, from, lowerCase)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAt(byte[] slab, int from, byte[] lowerCase) {
        int same = 1;
        while (same < lowerCase.length && lowerCase(slab[from + same]) == lowerCase[same]) {
            same++;
        }
        return same == lowerCase.length;
    }

    private static byte lowerCase(byte character) {
        return character >= 'A' && character <= 'Z' ? (byte) (character + 'a' - 'A') : character;
    }

    /** Whether the names are the same when '.' and '_' are. */
    boolean isLike(int place, String name) {
        byte[] slab = slab(place);
        int at = at(place);
        boolean alike = length(slab, at) == name.length();
        for (int i = 0; alike && i < name.length(); i++) {
            alike = folded(name.charAt(i)) == folded((char) slab[at + 1 + i]);
        }
        return alike;
    }

    /** The hash of the name. Names that are alike have the same hash, so that one probe finds them. */
    long hash(int place) {
        return hash(bytes(place));
    }

    static long hash(ByteBuffer name) {
        long hash = 0;
        for (int i = name.position(); i < name.limit(); i++) {
            hash = SecretHash.with(hash, folded((char) name.get(i)));
        }
        return SecretHash.of(hash);
    }

    static long hash(String name) {
        long hash = 0;
        for (int i = 0; i < name.length(); i++) {
            hash = SecretHash.with(hash, folded(name.charAt(i)));
        }
        return SecretHash.of(hash);
    }

    private static char folded(char character) {
        return character == '.' ? '_' : character;
    }
}
