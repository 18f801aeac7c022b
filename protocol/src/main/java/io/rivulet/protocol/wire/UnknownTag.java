package io.rivulet.protocol.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A tagged field that the schema does not have. It is kept and written back unchanged. Immutable by contract. */
@SuppressWarnings("ArrayRecordComponent")
public record UnknownTag(int tag, byte[] data) {
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UnknownTag that && tag == that.tag && Arrays.equals(data, that.data);
    }

    @Override
    public int hashCode() {
        return 31 * tag + Arrays.hashCode(data);
    }

    @Override
    public String toString() {
        return "UnknownTag(" + tag + ", " + data.length + " bytes)";
    }
}
