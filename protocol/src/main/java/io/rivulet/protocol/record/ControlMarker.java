package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The result of a transaction: the one record of a control batch.
 *
 * <pre>
 *   key:   version int16 | type int16: 0 abort, 1 commit
 *   value: version int16 | coordinator epoch int32
 * </pre>
 */
public enum ControlMarker {
    ABORT((short) 0),
    COMMIT((short) 1);

    private static final int VERSION = 0;
    private static final int TYPE_AT = 2;
    private static final int KEY_BYTES = 4;
    private static final int EPOCH_AT = 2;
    private static final int VALUE_BYTES = 6;
    /** In a batch made by {@link RecordBatchBuilder#marker}: lengths and deltas before the key take one byte each. */
    private static final int KEY_AT_IN_BATCH = RecordBatchLayout.RECORDS + 5;
    /** The length of the value takes one byte. */
    private static final int VALUE_AT_IN_BATCH = KEY_AT_IN_BATCH + KEY_BYTES + 1;

    private final short type;

    ControlMarker(short type) {
        this.type = type;
    }

    /** The marker in the record of a control batch; null if the record does not end a transaction. */
    public static @Nullable ControlMarker of(RecordView record) {
        if (record.keyLength() < KEY_BYTES) {
            return null;
        }
        int type = record.buffer().getShort(record.keyIndex() + TYPE_AT);
        return type == ABORT.type ? ABORT : type == COMMIT.type ? COMMIT : null;
    }

    /** The marker in the control batch at the index, which {@link RecordBatchBuilder#marker} has made. */
    public static ControlMarker in(ByteBuffer buffer, int at) {
        return buffer.getShort(at + KEY_AT_IN_BATCH + TYPE_AT) == COMMIT.type ? COMMIT : ABORT;
    }

    /** The epoch of the coordinator that wrote the marker. */
    public static int coordinatorEpoch(RecordView record) {
        if (record.valueLength() < VALUE_BYTES) {
            throw new IllegalArgumentException("a marker with a value of " + record.valueLength() + " bytes");
        }
        return record.buffer().getInt(record.valueIndex() + EPOCH_AT);
    }

    /** The same for the control batch at the index, which {@link RecordBatchBuilder#marker} has made. */
    public static int coordinatorEpochIn(ByteBuffer buffer, int at) {
        return buffer.getInt(at + VALUE_AT_IN_BATCH + EPOCH_AT);
    }

    ByteBuf key() {
        return Unpooled.buffer(KEY_BYTES).writeShort(VERSION).writeShort(type);
    }

    static ByteBuf value(int coordinatorEpoch) {
        return Unpooled.buffer(VALUE_BYTES).writeShort(VERSION).writeInt(coordinatorEpoch);
    }
}
