package io.rivulet.protocol.wire;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The base of all generated classes. Owned by: one thread at a time, like its message. */
public abstract class Struct implements Message {
    /** Null if there are none, which is the usual case. */
    protected @Nullable List<UnknownTag> unknownTags;

    /** Name and value of each field in turn. */
    protected abstract @Nullable Object[] fieldValues();

    @Override
    public final List<UnknownTag> unknownTags() {
        return unknownTags == null ? List.of() : unknownTags;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof Struct that
                && getClass() == that.getClass()
                && Arrays.deepEquals(fieldValues(), that.fieldValues())
                && unknownTags().equals(that.unknownTags());
    }

    @Override
    public final int hashCode() {
        return 31 * Arrays.deepHashCode(fieldValues()) + unknownTags().hashCode();
    }

    /** Prints only the length of bytes, because they may be credentials. */
    @Override
    public final String toString() {
        StringBuilder text = new StringBuilder(getClass().getSimpleName()).append('(');
        @Nullable Object[] values = fieldValues();
        for (int i = 0; i < values.length; i += 2) {
            text.append(i == 0 ? "" : ", ").append(values[i]).append('=').append(printed(values[i + 1]));
        }
        if (!unknownTags().isEmpty()) {
            text.append(values.length == 0 ? "" : ", ").append("unknownTags=").append(unknownTags);
        }
        return text.append(')').toString();
    }

    private static String printed(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.length + " bytes";
        }
        String inBrackets = Arrays.deepToString(new @Nullable Object[] {value});
        return inBrackets.substring(1, inBrackets.length() - 1);
    }
}
