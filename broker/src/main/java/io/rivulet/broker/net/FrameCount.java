package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;

/**
 * Counts the frames of one direction of a connection, while their bytes are passed on: each is a length of four bytes,
 * and so many bytes more. Owned by: the event loop of the connection.
 */
final class FrameCount {
    private long frames;
    /** Of the present length, in its bytes that have come. */
    private int length;

    private int lengthBytes;
    /** Of the present frame. */
    private int missingBytes;

    private boolean broken;

    /** Reads the bytes, and leaves the buffer as it is. */
    void add(ByteBuf bytes) {
        int index = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (index < end && !broken) {
            if (missingBytes > 0) {
                int taken = Math.min(missingBytes, end - index);
                index += taken;
                missingBytes -= taken;
                frames += missingBytes == 0 ? 1 : 0;
            } else if (lengthBytes == 0 && end - index >= Integer.BYTES) {
                begin(bytes.getInt(index));
                index += Integer.BYTES;
            } else {
                length = length << Byte.SIZE | bytes.getUnsignedByte(index++);
                if (++lengthBytes == Integer.BYTES) {
                    begin(length);
                }
            }
        }
    }

    /** No request and no answer is empty. After another length, nobody knows where frames begin. */
    private void begin(int frameBytes) {
        broken = frameBytes <= 0;
        missingBytes = frameBytes;
        length = 0;
        lengthBytes = 0;
    }

    /** Whether all bytes so far are whole frames. */
    boolean isWhole() {
        return !broken && missingBytes == 0 && lengthBytes == 0;
    }

    /** Those that are complete. */
    long frames() {
        return frames;
    }
}
