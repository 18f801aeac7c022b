package io.rivulet.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cursor into a buffer that is large enough. Owned by: the thread that encodes.
 *
 * <p>A copying writer copies everything into its buffer. A gathering writer does not copy records of at least {@value
 * #GATHER_BYTES} bytes; {@link #finishInto} lists the buffers that form the message when they are sent in order.
 */
public final class WireWriter {
    /** From this size on, a separate buffer costs less than a copy. */
    public static final int GATHER_BYTES = 1024;

    private final ByteBuf target;
    private final ByteBuf buffer;
    private final boolean contiguous;
    private final int start;
    private final int size;
    private final ByteBuffer bytes;

    /** The array of {@link #bytes} if it is on the heap, which is faster. */
    private final byte @Nullable [] array;

    /** The start of the message in {@link #array}, or 0. Positions count from there. */
    private final int base;

    private final int end;
    private final @Nullable List<Cut> cuts;
    private byte @Nullable [] scratch;
    private int position;

    /** The buffer of the last copied records and its bytes: many records of a message are in one buffer. */
    private @Nullable ByteBuf source;

    private byte @Nullable [] sourceArray;
    private int sourceBase;

    /** Records to send after the first {@code offset} bytes of the buffer. */
    private record Cut(int offset, Records records) {}

    private WireWriter(ByteBuf target, int size, @Nullable List<Cut> cuts) {
        this.target = target;
        this.size = size;
        this.cuts = cuts;
        target.ensureWritable(size);
        this.contiguous = target.nioBufferCount() == 1;
        // A composite buffer has no single view, so the finished bytes are copied to it.
        this.buffer = contiguous ? target : Unpooled.buffer(size, size);
        this.start = buffer.writerIndex();
        this.bytes = buffer.nioBuffer(start, size);
        this.array = bytes.hasArray() ? bytes.array() : null;
        this.base = bytes.hasArray() ? bytes.arrayOffset() : 0;
        this.position = base;
        this.end = base + size;
    }

    /** Writes exactly {@code size} bytes at the writer index of {@code target}. */
    public static WireWriter copying(ByteBuf target, int size) {
        return new WireWriter(target, size, null);
    }

    /** Like {@link #copying}, but {@code size} is without {@link Message#gatheredBytes}. */
    public static WireWriter gathering(ByteBuf target, int size) {
        return new WireWriter(target, size, new ArrayList<>());
    }

    /** Whether a gathering writer does not copy these records. */
    public static int gatheredBytes(@Nullable Records records) {
        return records == null || records.sizeInBytes() < GATHER_BYTES ? 0 : records.sizeInBytes();
    }

    /** Moves the target's writer index after the written bytes. Before that, nothing is visible. */
    public void finish() {
        if (position != end) {
            throw new IllegalStateException("Wrote " + (position - base) + " bytes, and announced " + size);
        }
        if (contiguous) {
            target.writerIndex(start + size);
        } else {
            buffer.writerIndex(size);
            target.writeBytes(buffer);
        }
    }

    /**
     * Like {@link #finish}, and appends to {@code out} the buffers to send: the readable bytes of the target, with the
     * gathered records in between. The sender owns each buffer in {@code out}, and the target is released into them.
     * Before this call no reference count changes, and without it the caller still owns the target.
     */
    public void finishInto(List<ByteBuf> out) {
        finish();
        int from = target.readerIndex();
        int messageStart = target.writerIndex() - size;
        for (Cut cut : cuts == null ? List.<Cut>of() : cuts) {
            int to = messageStart + cut.offset;
            if (to > from) {
                out.add(target.retainedSlice(from, to - from));
            }
            out.add(cut.records.retainedSlice());
            from = to;
        }
        if (from < target.writerIndex()) {
            out.add(target.retainedSlice(from, target.writerIndex() - from));
        }
        target.release();
    }

    /** Skips a run of fields of fixed size. The methods that start with "put" then write them. */
    public int take(int lengthBytes) {
        int at = position;
        requireAt(at, lengthBytes);
        position = at + lengthBytes;
        return at;
    }

    /** Checks the size, because the bytes after it may belong to another part of a pooled chunk. */
    private void requireAt(int at, int lengthBytes) {
        if (lengthBytes > end - at) {
            throw overrun();
        }
    }

    private IllegalStateException overrun() {
        return new IllegalStateException("the message is larger than its computed size of " + size + " bytes");
    }

    public void putBoolean(int at, boolean value) {
        byteOut(at, (byte) (value ? 1 : 0));
    }

    public void putByte(int at, byte value) {
        byteOut(at, value);
    }

    public void putShort(int at, short value) {
        shortOut(at, value);
    }

    public void putUnsignedShort(int at, int value) {
        shortOut(at, (short) value);
    }

    public void putInt(int at, int value) {
        intOut(at, value);
    }

    public void putLong(int at, long value) {
        longOut(at, value);
    }

    public void putDouble(int at, double value) {
        longOut(at, Double.doubleToRawLongBits(value));
    }

    public void writeByte(byte value) {
        byteOut(take(Byte.BYTES), value);
    }

    public void writeInt(int value) {
        intOut(take(Integer.BYTES), value);
    }

    public void writeUuid(Uuid value) {
        int at = take(Uuid.SIZE_BYTES);
        longOut(at, value.mostSignificantBits());
        longOut(at + Long.BYTES, value.leastSignificantBits());
    }

    public void writeUnsignedVarint(int value) {
        position = putVarint(position, value);
    }

    /** Writes the cursor once for all branches, so that it stays in a register between fields. */
    private int putVarint(int at, int value) {
        if ((value & ~0x7f) == 0) {
            requireAt(at, 1);
            byteOut(at, (byte) value);
            return at + 1;
        }
        if ((value & ~0x3fff) == 0) {
            requireAt(at, 2);
            shortOut(at, (short) (((value & 0x7f) | 0x80) << 8 | value >>> 7));
            return at + 2;
        }
        return putLongVarint(at, value);
    }

    private int putLongVarint(int start, int value) {
        int at = start;
        int rest = value;
        requireAt(at, WireSize.unsignedVarint(value));
        while ((rest & ~0x7f) != 0) {
            byteOut(at++, (byte) (rest | 0x80));
            rest >>>= 7;
        }
        byteOut(at++, (byte) rest);
        return at;
    }

    /** The count of an array, or the length of bytes; -1 for null. */
    public void writePrefix(boolean compact, int length) {
        position = putPrefix(position, compact, length);
    }

    private int putPrefix(int at, boolean compact, int length) {
        if (compact) {
            return putVarint(at, length + 1);
        }
        requireAt(at, Integer.BYTES);
        intOut(at, length);
        return at + Integer.BYTES;
    }

    /** The mark before a struct that may be null. */
    public void writePresent(boolean tagged, boolean present) {
        writeByte((byte) (present ? 1 : tagged ? 0 : -1));
    }

    public void writeString(boolean compact, @Nullable String value) {
        if (value == null) {
            writeStringLength(compact, -1);
        } else if (WireSize.asciiPrefix(value) == value.length()) {
            writeStringLength(compact, value.length());
            putAscii(value);
        } else {
            byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
            writeStringLength(compact, encoded.length);
            putBytes(encoded, encoded.length);
        }
    }

    private void writeStringLength(boolean compact, int length) {
        if (compact) {
            writeUnsignedVarint(length + 1);
        } else {
            putShort(take(Short.BYTES), (short) length);
        }
    }

    /** The deprecated method copies the low bytes, which are ASCII, without a new array. */
    @SuppressWarnings("deprecation")
    private void putAscii(String value) {
        int length = value.length();
        if (array != null) {
            value.getBytes(0, length, array, take(length));
            return;
        }
        byte[] copy = scratch;
        if (copy == null || copy.length < length) {
            copy = new byte[Math.max(64, Integer.highestOneBit(length) << 1)];
            scratch = copy;
        }
        value.getBytes(0, length, copy, 0);
        putBytes(copy, length);
    }

    private void putBytes(byte[] source, int length) {
        bytes.put(take(length) - base, source, 0, length);
    }

    public void writeBytes(boolean compact, byte @Nullable [] value) {
        writePrefix(compact, value == null ? -1 : value.length);
        if (value != null) {
            putBytes(value, value.length);
        }
    }

    public void writeRecords(boolean compact, @Nullable Records value) {
        if (value == null) {
            writePrefix(compact, -1);
            return;
        }
        int length = value.sizeInBytes();
        if (compact && length < 0x7f) {
            writeFew(value, length);
            return;
        }
        int at = putPrefix(position, compact, length);
        if (cuts != null && gatheredBytes(value) > 0) {
            cuts.add(new Cut(at - base, value));
            position = at;
            return;
        }
        requireAt(at, length);
        copy(value, at, length);
        position = at + length;
    }

    /** A short batch: its length takes one byte, and one check covers both. */
    private void writeFew(Records value, int length) {
        int at = take(1 + length);
        byteOut(at, (byte) (length + 1));
        copy(value, at + 1, length);
    }

    /** A different buffer with the same bytes is a different source. */
    @SuppressWarnings("ReferenceEquality")
    private void copy(Records value, int at, int length) {
        ByteBuf from = value.buffer();
        if (from != source) {
            source = from;
            sourceArray = from.hasArray() ? from.array() : null;
            sourceBase = from.hasArray() ? from.arrayOffset() : 0;
        }
        if (array != null && sourceArray != null) {
            System.arraycopy(sourceArray, sourceBase + value.index(), array, at, length);
        } else {
            buffer.setBytes(start - base + at, from, value.index(), length);
        }
    }

    public void writeStrings(boolean compact, @Nullable List<String> values) {
        if (values == null) {
            writePrefix(compact, -1);
            return;
        }
        writePrefix(compact, values.size());
        for (String value : values) {
            writeString(compact, value);
        }
    }

    public void writeUuids(boolean compact, @Nullable List<Uuid> values) {
        if (values == null) {
            writePrefix(compact, -1);
            return;
        }
        writePrefix(compact, values.size());
        for (Uuid value : values) {
            writeUuid(value);
        }
    }

    public void writeInts(boolean compact, int @Nullable [] values) {
        if (values == null) {
            writePrefix(compact, -1);
            return;
        }
        writePrefix(compact, values.length);
        for (int value : values) {
            writeInt(value);
        }
    }

    public void writeShorts(boolean compact, short @Nullable [] values) {
        if (values == null) {
            writePrefix(compact, -1);
            return;
        }
        writePrefix(compact, values.length);
        for (short value : values) {
            putShort(take(Short.BYTES), value);
        }
    }

    public void writeLongs(boolean compact, long @Nullable [] values) {
        if (values == null) {
            writePrefix(compact, -1);
            return;
        }
        writePrefix(compact, values.length);
        for (long value : values) {
            putLong(take(Long.BYTES), value);
        }
    }

    /** Written before the value of a tagged field. */
    public void writeTag(int tag, int valueBytes) {
        writeUnsignedVarint(tag);
        writeUnsignedVarint(valueBytes);
    }

    /** The whole section, if the schema has no tags. */
    public void writeTagSection(@Nullable List<UnknownTag> unknown) {
        if (unknown == null) {
            writeByte((byte) 0);
        } else {
            writeUnsignedVarint(unknown.size());
            writeUnknownTags(unknown);
        }
    }

    /** The unknown tags, after the known ones. */
    public void writeUnknownTags(@Nullable List<UnknownTag> unknown) {
        if (unknown != null) {
            for (UnknownTag field : unknown) {
                writeTag(field.tag(), field.data().length);
                putBytes(field.data(), field.data().length);
            }
        }
    }

    private void byteOut(int at, byte value) {
        if (array == null) {
            bytes.put(at, value);
        } else {
            array[at] = value;
        }
    }

    private void shortOut(int at, short value) {
        if (array == null) {
            bytes.putShort(at, value);
        } else {
            BigEndian.putShort(array, at, value);
        }
    }

    private void intOut(int at, int value) {
        if (array == null) {
            bytes.putInt(at, value);
        } else {
            BigEndian.putInt(array, at, value);
        }
    }

    private void longOut(int at, long value) {
        if (array == null) {
            bytes.putLong(at, value);
        } else {
            BigEndian.putLong(array, at, value);
        }
    }
}
