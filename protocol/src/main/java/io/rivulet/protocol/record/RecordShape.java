package io.rivulet.protocol.record;

import java.nio.ByteBuffer;

/**
 * The shape of a valid record: where its numbers are, and the lengths of its key and value. Most producers send records
 * of one shape. To compare them with it takes a third of the time of reading their numbers.
 *
 * <p>The first eight bytes of a record are compared as one word:
 *
 * <pre>
 *   | length | attributes | timestamp delta       | offset delta | key length |
 *     equal    any          equal number of bytes   as expected    equal
 * </pre>
 *
 * Then the value length and the header count must be equal, so key and value end where they do in the shape. A record
 * with headers has no shape. Owned by one thread.
 */
final class RecordShape {
    private static final int NONE = Integer.MAX_VALUE / 2;
    private static final int MAX_DELTA_BYTES = 2;
    private static final int VARINT_BITS = 7;
    private static final int CONTINUED = 1 << VARINT_BITS;
    private static final int LOW_BITS = CONTINUED - 1;
    private static final int BYTE_MASK = 0xff;

    private int recordBytes = NONE;

    /** The first eight bytes, without those that may differ. */
    private long head;

    private long headMask;
    private int timestampBytes;
    /** How far the last byte of the field is from the lowest byte of the word, in bits. */
    private int timestampShift;

    private int offsetBytes;
    private int offsetShift;
    private int valueLengthAt;
    /** The first four bytes there, without those of the value. */
    private int valueLength;

    private int valueLengthMask;

    private long maxTimestampDelta;
    private int indexOfMax;

    /** No record has this shape until {@link #take}. */
    void forget() {
        recordBytes = NONE;
    }

    /**
     * Takes the shape of a valid record without headers, if this class can compare it.
     *
     * @param start the index of the record; the others are those of its parts and of its end
     */
    void take(ByteBuffer bytes, int start, int timestampAt, int offsetAt, int keyAt, int valueAt, int end) {
        forget();
        int valueLengthBytes = numberBytes(bytes, valueAt);
        timestampBytes = offsetAt - timestampAt;
        offsetBytes = keyAt - offsetAt;
        boolean comparable = keyAt - start < Long.BYTES
                && numberBytes(bytes, keyAt) == 1
                && timestampBytes <= MAX_DELTA_BYTES
                && offsetBytes <= MAX_DELTA_BYTES
                && valueLengthBytes <= Integer.BYTES
                && bytes.limit() - end >= Long.BYTES;
        if (!comparable) {
            return;
        }
        int lengthBytes = timestampAt - 1 - start;
        timestampShift = shiftOfByte(offsetAt - 1 - start);
        offsetShift = shiftOfByte(keyAt - 1 - start);
        long offsetMask = ((1L << (offsetBytes * Byte.SIZE)) - 1) << offsetShift;
        long continuedBits = timestampBytes == 1 ? CONTINUED : (CONTINUED << Byte.SIZE) | CONTINUED;
        headMask = (-1L << shiftOfByte(lengthBytes - 1))
                | (continuedBits << timestampShift)
                | offsetMask
                | ((long) BYTE_MASK << shiftOfByte(keyAt - start));
        head = bytes.getLong(start) & headMask & ~offsetMask;
        valueLengthAt = valueAt - start;
        valueLengthMask = -1 << (Integer.SIZE - valueLengthBytes * Byte.SIZE);
        valueLength = bytes.getInt(valueAt) & valueLengthMask;
        recordBytes = end - start;
    }

    private static int shiftOfByte(int index) {
        return Long.SIZE - Byte.SIZE - index * Byte.SIZE;
    }

    private static int numberBytes(ByteBuffer bytes, int at) {
        int count = 1;
        while (bytes.get(at + count - 1) < 0) {
            count++;
        }
        return count;
    }

    /**
     * Counts the records of this shape that follow each other here, with the offset deltas {@code first}, first + 1 and
     * so on, below {@code limit}. The last eight bytes before {@code end} are not looked at.
     */
    int run(ByteBuffer bytes, int start, int first, int limit, int end) {
        maxTimestampDelta = Long.MIN_VALUE;
        int at = start;
        int index = first;
        int limitOfBytes = 1 << (VARINT_BITS * offsetBytes - 1); // zigzag takes one bit
        int lastAt = end - Long.BYTES - recordBytes;
        while (index < limit && index < limitOfBytes && at <= lastAt) {
            long word = bytes.getLong(at);
            if ((word & headMask) != (head | (offsetDelta(index) << offsetShift))
                    || (bytes.getInt(at + valueLengthAt) & valueLengthMask) != valueLength
                    || bytes.get(at + recordBytes - 1) != 0) {
                break;
            }
            long delta = timestampDelta((int) (word >>> timestampShift));
            if (delta > maxTimestampDelta) {
                maxTimestampDelta = delta;
                indexOfMax = index;
            }
            at += recordBytes;
            index++;
        }
        return index - first;
    }

    private long offsetDelta(int index) {
        int raw = index << 1;
        return offsetBytes == 1 ? raw : (((raw & LOW_BITS) | CONTINUED) << Byte.SIZE) | (raw >>> VARINT_BITS);
    }

    private long timestampDelta(int word) {
        int last = word & BYTE_MASK;
        int first = (word >>> Byte.SIZE) & LOW_BITS;
        return Varints.unzigzag(timestampBytes == 1 ? last : (last << VARINT_BITS) | first);
    }

    int recordBytes() {
        return recordBytes;
    }

    /** The largest timestamp delta of the last run, if that had a record. */
    long maxTimestampDelta() {
        return maxTimestampDelta;
    }

    /** The offset delta of the first record with that timestamp delta. */
    int indexOfMax() {
        return indexOfMax;
    }
}
