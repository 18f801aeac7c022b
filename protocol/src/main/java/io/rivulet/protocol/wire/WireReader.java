package io.rivulet.protocol.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over a frame that trusts nothing in it. Owned by: the thread that decodes the frame.
 *
 * <p>Two rules keep the memory of a hostile frame in proportion to its size. A length or count is compared with the
 * remaining bytes before anything is allocated for it. And each allocation is first taken from a budget: {@value
 * #BUDGET_PER_BYTE} bytes of heap (with compressed references) for each byte of the frame, and {@value
 * #BUDGET_BASE_BYTES} in addition. Normal requests stay within the first term, because no struct of the schemas takes
 * 16 times its bytes. The exceptions are strings of two letters and empty unknown tags, and it takes thousands of them
 * in one frame to use up the second term.
 *
 * <p>Each error is a {@link MalformedRequestException}. {@code where} is always a constant with the message and field.
 */
public final class WireReader {
    /** Heap bytes for each byte of a frame. */
    public static final int BUDGET_PER_BYTE = 16;

    /** Heap bytes for each frame. */
    public static final int BUDGET_BASE_BYTES = 64 * 1024;

    /** The part of the base for the reader, its view of the frame, the message and an exception. */
    private static final int FIXED_BYTES = 4 * 1024;

    private static final int REFERENCE_BYTES = 4;

    /** Including alignment to eight bytes. */
    private static final int ARRAY_HEADER_BYTES = 24;

    private static final int LIST_BYTES = 24 + ARRAY_HEADER_BYTES;
    private static final int STRING_BYTES = 24 + ARRAY_HEADER_BYTES;
    private static final int SHORT_STRING_BYTES = 16;
    private static final int UUID_BYTES = 32;

    /** Including five references, because the list of them grows by copying. */
    private static final int UNKNOWN_TAG_BYTES = 24 + 5 * REFERENCE_BYTES;

    private static final int UNKNOWN_TAG_LIST_BYTES = LIST_BYTES + 10 * REFERENCE_BYTES;

    private static final String[] ONE_BYTE_STRINGS = oneByteStrings();

    private final ByteBuf frame;
    private final ByteBuffer bytes;

    /** The array of {@link #bytes} if it is on the heap, which is faster. */
    private final byte @Nullable [] array;

    /** The start of the frame in {@link #array}, or 0. Positions count from there, which saves an addition each. */
    private final int base;

    /** Added to a position, it is the index in {@link #frame}. */
    private final int indexShift;

    private byte @Nullable [] scratch;
    private int position;
    private int limit;
    private long budget;

    /** Over the readable bytes of {@code frame}, heap, direct or composite. Its indices stay as they are. */
    public WireReader(ByteBuf frame) {
        int lengthBytes = frame.readableBytes();
        this.frame = frame;
        // One small object; only a buffer of several components is copied.
        this.bytes = frame.nioBuffer(frame.readerIndex(), lengthBytes);
        this.array = bytes.hasArray() ? bytes.array() : null;
        this.base = bytes.hasArray() ? bytes.arrayOffset() : 0;
        this.indexShift = frame.readerIndex() - base;
        this.position = base;
        this.limit = base + lengthBytes;
        int copiedBytes = frame.nioBufferCount() == 1 ? 0 : lengthBytes;
        this.budget = maxHeapBytes(lengthBytes) - FIXED_BYTES - copiedBytes;
    }

    /** The maximum heap for decoding a frame of this size. */
    public static long maxHeapBytes(int frameBytes) {
        return (long) BUDGET_PER_BYTE * frameBytes + BUDGET_BASE_BYTES;
    }

    /** Limits the heap for the rest of the frame; it never raises the limit. */
    public void limitHeap(long heapBytes) {
        budget = Math.min(budget, heapBytes);
    }

    /** Whether decoding failed because the frame would take too much heap. */
    public boolean isOverLimit() {
        return budget < 0;
    }

    private byte byteIn(int at) {
        return array == null ? bytes.get(at) : array[at];
    }

    private short shortIn(int at) {
        return array == null ? bytes.getShort(at) : BigEndian.getShort(array, at);
    }

    private int intIn(int at) {
        return array == null ? bytes.getInt(at) : BigEndian.getInt(array, at);
    }

    private long longIn(int at) {
        return array == null ? bytes.getLong(at) : BigEndian.getLong(array, at);
    }

    private static String[] oneByteStrings() {
        String[] strings = new String[256];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = i < 0x80 ? String.valueOf((char) i) : "\uFFFD";
        }
        return strings;
    }

    /** Bytes from the start of the frame. */
    public int offset() {
        return position - base;
    }

    public int remaining() {
        return limit - position;
    }

    /** The last step of decoding: the frame must end here. Moves the frame's reader index to its end. */
    public void expectEnd(String where) {
        if (position != limit) {
            throw malformed(where, remaining() + " bytes are left over");
        }
        frame.readerIndex(indexShift + position);
    }

    /** Checks the length of a run of primitive fields. The methods that start with "get" then read them. */
    public int take(int lengthBytes, String where) {
        return advance(lengthBytes, where);
    }

    public boolean getBoolean(int at) {
        return byteIn(at) != 0;
    }

    public byte getByte(int at) {
        return byteIn(at);
    }

    public short getShort(int at) {
        return shortIn(at);
    }

    public int getUnsignedShort(int at) {
        return Short.toUnsignedInt(shortIn(at));
    }

    public int getInt(int at) {
        return intIn(at);
    }

    public long getLong(int at) {
        return longIn(at);
    }

    public double getDouble(int at) {
        return Double.longBitsToDouble(longIn(at));
    }

    public Uuid readUuid(String where) {
        int at = advance(Uuid.SIZE_BYTES, where);
        long most = longIn(at);
        long least = longIn(at + Long.BYTES);
        if ((most | least) == 0) {
            return Uuid.ZERO;
        }
        spend(UUID_BYTES, where);
        return new Uuid(most, least);
    }

    /** A length, count or tag: at most 31 bits in at most five bytes. */
    public int readUnsignedVarint(String where) {
        int at = position;
        if (at < limit) {
            byte first = byteIn(at);
            if (first >= 0) {
                position = at + 1;
                return first;
            }
        }
        return longVarint(where);
    }

    private int longVarint(String where) {
        int value = 0;
        for (int shift = 0; shift <= 28; shift += 7) {
            byte b = byteIn(advance(Byte.BYTES, where));
            if (shift == 28 && (b & 0xf8) != 0) {
                throw malformed(where, "the varint has more than 31 bits");
            }
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw malformed(where, "the varint has more than five bytes");
    }

    public @Nullable String readString(boolean compact, boolean nullable, String where) {
        int length = compact ? readUnsignedVarint(where) - 1 : shortIn(advance(Short.BYTES, where));
        if (length < 0) {
            requireNullable(length, nullable, where);
            return null;
        }
        if (length > WireSize.MAX_STRING_BYTES) {
            throw malformed(where, "a string of " + length + " bytes is too long");
        }
        return string(advance(length, where), length, where);
    }

    /** Replaces malformed UTF-8, as Kafka does. A byte may become three, so the text can be too long to be sent on. */
    private String string(int at, int length, String where) {
        if (length <= 1) {
            return length == 0 ? "" : ONE_BYTE_STRINGS[byteIn(at) & 0xff];
        }
        spend(stringBytes(at, length), where);
        String text = decoded(at, length, where);
        if (length > WireSize.MAX_STRING_BYTES / 3 && WireSize.utf8Length(text) > WireSize.MAX_STRING_BYTES) {
            throw malformed(where, "a string of " + length + " bytes is not UTF-8");
        }
        return text;
    }

    private String decoded(int at, int length, String where) {
        if (array != null) {
            return new String(array, at, length, StandardCharsets.UTF_8);
        }
        byte[] copy = scratch(length, where);
        bytes.get(at, copy, 0, length);
        return new String(copy, 0, length, StandardCharsets.UTF_8);
    }

    /**
     * The heap for decoding text that is not ASCII: two arrays of up to twice the length. Exact for short strings only.
     */
    private int stringBytes(int at, int length) {
        boolean ascii = length <= SHORT_STRING_BYTES;
        for (int i = 0; ascii && i < length; i++) {
            ascii = byteIn(at + i) >= 0;
        }
        return ascii ? STRING_BYTES + length : STRING_BYTES + ARRAY_HEADER_BYTES + 4 * length;
    }

    private byte[] scratch(int length, String where) {
        byte[] current = scratch;
        if (current == null || current.length < length) {
            int capacity = Math.max(64, Integer.highestOneBit(length) << 1);
            spend(ARRAY_HEADER_BYTES + capacity, where);
            current = new byte[capacity];
            scratch = current;
        }
        return current;
    }

    /** Copies the bytes: the type {@code bytes} of the schemas (group metadata, credentials) outlives the frame. */
    public byte @Nullable [] readBytes(boolean compact, boolean nullable, String where) {
        int length = readLength(compact, nullable, where);
        return length < 0 ? null : copy(length, where);
    }

    private byte[] copy(int length, String where) {
        int at = advance(length, where);
        if (length == 0) {
            return Empty.BYTES;
        }
        spend(ARRAY_HEADER_BYTES + length, where);
        byte[] copy = new byte[length];
        bytes.get(at - base, copy, 0, length);
        return copy;
    }

    /** Borrows from the frame, see {@link Records}. */
    public @Nullable Records readRecords(boolean compact, boolean nullable, String where) {
        int length = readLength(compact, nullable, where);
        if (length < 0) {
            return null;
        }
        int index = indexShift + advance(length, where);
        return new Records(frame, index, length);
    }

    /** A length or count, -1 for null. It is not compared with the remaining bytes yet. */
    private int readLength(boolean compact, boolean nullable, String where) {
        int length = compact ? readUnsignedVarint(where) - 1 : intIn(advance(Integer.BYTES, where));
        if (length < 0) {
            requireNullable(length, nullable, where);
        }
        return length;
    }

    private void requireNullable(int length, boolean nullable, String where) {
        if (length != -1) {
            throw malformed(where, "the length " + length + " is negative");
        }
        if (!nullable) {
            throw malformed(where, "is null");
        }
    }

    /**
     * The count of an array, or -1 for null. The caller may then allocate a list and its elements.
     *
     * @param minElementBytes the least bytes of an element on the wire
     * @param elementHeapBytes the heap of an element, records included, without its variable parts
     */
    public int readCount(boolean compact, boolean nullable, int minElementBytes, int elementHeapBytes, String where) {
        int count = readLength(compact, nullable, where);
        if (count > 0) {
            spendForElements(count, minElementBytes, elementHeapBytes, where);
        }
        return count;
    }

    private void spendForElements(int count, int minElementBytes, int elementHeapBytes, String where) {
        if (count > remaining() / minElementBytes) {
            throw malformed(where, count + " elements cannot be in " + remaining() + " bytes");
        }
        spend(LIST_BYTES + (long) count * (REFERENCE_BYTES + elementHeapBytes), where);
    }

    /**
     * The mark before a nullable struct. As in Kafka, any negative mark is null, and before the struct of a tagged
     * field 0 is.
     */
    public boolean readPresent(boolean tagged, boolean nullable, int structHeapBytes, String where) {
        if (tagged ? readUnsignedVarint(where) <= 0 : byteIn(advance(Byte.BYTES, where)) < 0) {
            requireNullable(-1, nullable, where);
            return false;
        }
        spend(structHeapBytes, where);
        return true;
    }

    public @Nullable List<String> readStrings(boolean compact, boolean nullable, String where) {
        int count = readCount(compact, nullable, compact ? 1 : Short.BYTES, 0, where);
        if (count <= 0) {
            return count < 0 ? null : List.of();
        }
        List<String> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(Objects.requireNonNull(readString(compact, false, where)));
        }
        return list;
    }

    public @Nullable List<Uuid> readUuids(boolean compact, boolean nullable, String where) {
        int count = readCount(compact, nullable, Uuid.SIZE_BYTES, 0, where);
        if (count <= 0) {
            return count < 0 ? null : List.of();
        }
        List<Uuid> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(readUuid(where));
        }
        return list;
    }

    public int @Nullable [] readInts(boolean compact, boolean nullable, String where) {
        int count = readCount(compact, nullable, Integer.BYTES, Integer.BYTES, where);
        if (count <= 0) {
            return count < 0 ? null : Empty.INTS;
        }
        int at = advance(count * Integer.BYTES, where);
        int[] array = new int[count];
        for (int i = 0; i < count; i++) {
            array[i] = intIn(at + i * Integer.BYTES);
        }
        return array;
    }

    public short @Nullable [] readShorts(boolean compact, boolean nullable, String where) {
        int count = readCount(compact, nullable, Short.BYTES, Short.BYTES, where);
        if (count <= 0) {
            return count < 0 ? null : Empty.SHORTS;
        }
        int at = advance(count * Short.BYTES, where);
        short[] array = new short[count];
        for (int i = 0; i < count; i++) {
            array[i] = shortIn(at + i * Short.BYTES);
        }
        return array;
    }

    public long @Nullable [] readLongs(boolean compact, boolean nullable, String where) {
        int count = readCount(compact, nullable, Long.BYTES, Long.BYTES, where);
        if (count <= 0) {
            return count < 0 ? null : Empty.LONGS;
        }
        int at = advance(count * Long.BYTES, where);
        long[] array = new long[count];
        for (int i = 0; i < count; i++) {
            array[i] = longIn(at + i * Long.BYTES);
        }
        return array;
    }

    /** The number of tagged fields. Each takes at least two bytes. */
    public int readTagCount(String where) {
        int count = readUnsignedVarint(where);
        if (count > remaining() / 2) {
            throw malformed(where, count + " tagged fields cannot be in " + remaining() + " bytes");
        }
        return count;
    }

    /** The next tag, which must be greater than the one before it (-1 before the first). */
    public int readTag(int previous, String where) {
        int tag = readUnsignedVarint(where);
        if (tag <= previous) {
            throw malformed(where, "tag " + tag + " comes after tag " + previous);
        }
        return tag;
    }

    /** Narrows the frame to the value of a tagged field. Pass the result to {@link #leaveTag}. */
    public int enterTag(String where) {
        int size = readUnsignedVarint(where);
        if (size > remaining()) {
            throw malformed(where, size + " bytes are not in the " + remaining() + " that remain");
        }
        int outer = limit;
        limit = position + size;
        return outer;
    }

    /** Checks that the value was as long as its prefix says. */
    public void leaveTag(int outer, String where) {
        if (position != limit) {
            throw malformed(where, "the tagged field is " + remaining() + " bytes shorter than its size");
        }
        limit = outer;
    }

    /** Adds the content of the entered tag to earlier ones. */
    public List<UnknownTag> readUnknownTag(@Nullable List<UnknownTag> before, int tag, String where) {
        List<UnknownTag> list = before;
        if (list == null) {
            spend(UNKNOWN_TAG_LIST_BYTES, where);
            list = new ArrayList<>();
        }
        spend(UNKNOWN_TAG_BYTES, where);
        list.add(new UnknownTag(tag, copy(remaining(), where)));
        return list;
    }

    /** Skips the count of an empty section of tagged fields. */
    public boolean hasTags() {
        if (position < limit && byteIn(position) == 0) {
            position++;
            return false;
        }
        return true;
    }

    /** The whole section, if the schema has no tags. */
    public @Nullable List<UnknownTag> readUnknownTags(String where) {
        int count = readTagCount(where);
        List<UnknownTag> list = null;
        int tag = -1;
        for (int i = 0; i < count; i++) {
            tag = readTag(tag, where);
            int outer = enterTag(where);
            list = readUnknownTag(list, tag, where);
            leaveTag(outer, where);
        }
        return list;
    }

    /** For generated code: a tag of the schema in a version that does not have it. */
    public MalformedRequestException misplacedTag(int tag, short version, String where) {
        return malformed(where, "tag " + tag + " is not in version " + version);
    }

    /** Advances, and returns the position before the step. */
    private int advance(int length, String where) {
        int at = position;
        requireAt(at, length, where);
        position = at + length;
        return at;
    }

    private void requireAt(int at, int length, String where) {
        if (length > limit - at) {
            throw tooShort(at, length, where);
        }
    }

    private MalformedRequestException tooShort(int at, int length, String where) {
        return new MalformedRequestException(
                where, at - base, length + " bytes are not in the " + (limit - at) + " that remain");
    }

    /** Takes an allocation from the budget. */
    public void spend(long heapBytes, String where) {
        budget -= heapBytes;
        if (budget < 0) {
            throw malformed(where, "the frame would take too much of the heap");
        }
    }

    private MalformedRequestException malformed(String where, String reason) {
        return new MalformedRequestException(where, offset(), reason);
    }
}
