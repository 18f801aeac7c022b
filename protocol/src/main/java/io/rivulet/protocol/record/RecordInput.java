package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.InvalidBatchException.Reason;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.protocol.record.codec.CodecException;
import io.rivulet.protocol.record.codec.Decompressor;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a batch's records: in place, or for a compressed batch decompressed into a small buffer. The buffer
 * grows for a record that is kept whole, but only with bytes that were really decompressed. So a record that claims to
 * be long costs nothing. Owned by one cursor.
 */
final class RecordInput implements AutoCloseable {
    private static final int INITIAL_BYTES = 8 * 1024;
    private static final int KEPT_BYTES = 64 * 1024;
    private static final int NOT_KEEPING = -1;
    private static final int VARINT_MAX_SHIFT = 28;
    private static final int VARLONG_MAX_SHIFT = 63;

    private final @Nullable Decompressor[] decompressors = new @Nullable Decompressor[Codec.values().length];
    private byte[] stage = new byte[0];
    private ByteBuf stageBuffer = Unpooled.EMPTY_BUFFER;

    private @Nullable Decompressor decompressor;
    private ByteBuf window = Unpooled.EMPTY_BUFFER;
    private int at;
    private int end;
    private long dropped;

    /** Where the kept record starts in the window. */
    private int keptIndex = NOT_KEEPING;

    void begin(RecordBatch batch, Codec codec, int maxDecompressedBytes) {
        end();
        if (codec == Codec.NONE) {
            window = batch.buffer();
            at = batch.recordsIndex();
            end = at + batch.recordsSizeInBytes();
            return;
        }
        if (stage.length == 0) {
            useStage(new byte[INITIAL_BYTES]);
        }
        window = stageBuffer;
        try {
            Decompressor chosen = decompressorFor(codec);
            decompressor = chosen;
            chosen.begin(batch.buffer(), batch.recordsIndex(), batch.recordsSizeInBytes(), maxDecompressedBytes);
        } catch (CodecException e) {
            throw refusal(e);
        }
    }

    /** Ends the batch. */
    void end() {
        Decompressor used = decompressor;
        if (used != null) {
            used.end();
        }
        decompressor = null;
        window = Unpooled.EMPTY_BUFFER;
        at = 0;
        end = 0;
        dropped = 0;
        keptIndex = NOT_KEEPING;
        if (stage.length > KEPT_BYTES) {
            useStage(new byte[0]);
        }
    }

    @Override
    public void close() {
        end();
        for (int i = 0; i < decompressors.length; i++) {
            Decompressor made = decompressors[i];
            if (made != null) {
                made.close();
            }
            decompressors[i] = null;
        }
    }

    /** Keeps all bytes from here on in the window, until the next call. */
    void keep() {
        keptIndex = at;
    }

    /** Drops the kept bytes. */
    void drop() {
        keptIndex = NOT_KEEPING;
    }

    ByteBuf window() {
        return window;
    }

    /** The index of the next byte in the window. It changes when earlier bytes are dropped. */
    int index() {
        return at;
    }

    /** Where the kept bytes start in the window. */
    int keptIndex() {
        return keptIndex;
    }

    /** The bytes that were read since the start of the batch's records. */
    long position() {
        return dropped + at;
    }

    /** An upper bound of the bytes that are left. */
    long maxLeft() {
        Decompressor stream = decompressor;
        return end - at + (stream == null ? 0 : stream.outputLeft());
    }

    /** The failure for a record that claims to be longer than {@link #maxLeft}. */
    InvalidBatchException tooLong(int recordBytes) {
        return decompressor == null
                ? new InvalidBatchException(
                        Reason.INVALID_RECORD, "a record of " + recordBytes + " bytes in " + maxLeft())
                : new InvalidBatchException(
                        Reason.BATCH_TOO_LARGE,
                        "a record of " + recordBytes + " bytes, where " + maxLeft() + " are allowed");
    }

    boolean isReadableByKafka() {
        Decompressor stream = decompressor;
        return stream == null || stream.isReadableByKafka();
    }

    boolean isExhausted() {
        return at == end && !refill();
    }

    byte readByte() {
        if (at == end && !refill()) {
            throw endsEarly();
        }
        return window.getByte(at++);
    }

    int readVarint() {
        int raw = 0;
        for (int shift = 0; shift <= VARINT_MAX_SHIFT; shift += 7) {
            byte group = readByte();
            raw |= (group & 0x7f) << shift;
            if (group >= 0) {
                return Varints.unzigzag(raw);
            }
        }
        throw new InvalidBatchException(Reason.INVALID_RECORD, "a varint of more than 5 bytes");
    }

    long readVarlong() {
        long raw = 0;
        for (int shift = 0; shift <= VARLONG_MAX_SHIFT; shift += 7) {
            byte group = readByte();
            raw |= (group & 0x7fL) << shift;
            if (group >= 0) {
                return Varints.unzigzag(raw);
            }
        }
        throw new InvalidBatchException(Reason.INVALID_RECORD, "a varlong of more than 10 bytes");
    }

    void skip(int bytes) {
        int left = bytes;
        while (left > end - at) {
            left -= end - at;
            at = end;
            if (!refill()) {
                throw endsEarly();
            }
        }
        at += left;
    }

    private boolean refill() {
        Decompressor stream = decompressor;
        if (stream == null) {
            return false;
        }
        makeRoom();
        try {
            int read = stream.read(stage, end, stage.length - end);
            if (read < 0) {
                return false;
            }
            end += read;
            return true;
        } catch (CodecException e) {
            throw refusal(e);
        }
    }

    /** Drops bytes that are read and not kept. Grows only if the whole buffer is kept. */
    private void makeRoom() {
        int from = keptIndex == NOT_KEEPING ? at : keptIndex;
        if (end < stage.length && from < end) {
            return;
        }
        byte[] target = from == 0 && end == stage.length ? new byte[grownLength()] : stage;
        System.arraycopy(stage, from, target, 0, end - from);
        if (target != stage) {
            useStage(target);
            window = stageBuffer;
        }
        at -= from;
        end -= from;
        dropped += from;
        keptIndex = keptIndex == NOT_KEEPING ? NOT_KEEPING : 0;
    }

    private int grownLength() {
        long reachable = stage.length + (decompressor == null ? 0 : decompressor.outputLeft()) + 1;
        return (int) Math.min(Math.min(2L * stage.length, reachable), Integer.MAX_VALUE - 8);
    }

    private void useStage(byte[] bytes) {
        stage = bytes;
        stageBuffer = Unpooled.wrappedBuffer(bytes);
    }

    private Decompressor decompressorFor(Codec codec) {
        Decompressor made = decompressors[codec.id()];
        if (made == null) {
            made = codec.newDecompressor();
            decompressors[codec.id()] = made;
        }
        return made;
    }

    private static InvalidBatchException endsEarly() {
        return new InvalidBatchException(Reason.INVALID_RECORD, "the batch ends in the middle of a record");
    }

    static InvalidBatchException refusal(CodecException e) {
        Reason reason = switch (e.kind()) {
            case CORRUPT -> Reason.CORRUPT;
            case OUTPUT_LIMIT -> Reason.BATCH_TOO_LARGE;
            case UNSUPPORTED -> Reason.UNSUPPORTED_COMPRESSION;
            case UNAVAILABLE -> Reason.CODEC_UNAVAILABLE;
        };
        return new InvalidBatchException(reason, String.valueOf(e.getMessage()));
    }
}
