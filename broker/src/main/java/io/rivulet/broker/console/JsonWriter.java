package io.rivulet.broker.console;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.json.JsonText;
import org.jspecify.annotations.Nullable;

/** Writes JSON piece by piece, in one line. Owned by: one thread. */
final class JsonWriter {
    private final StringBuilder out = new StringBuilder(256);
    private boolean needsComma;

    JsonWriter object() {
        separate();
        out.append('{');
        needsComma = false;
        return this;
    }

    JsonWriter endObject() {
        out.append('}');
        needsComma = true;
        return this;
    }

    JsonWriter array() {
        separate();
        out.append('[');
        needsComma = false;
        return this;
    }

    JsonWriter endArray() {
        out.append(']');
        needsComma = true;
        return this;
    }

    /** The name of the next value. */
    JsonWriter key(String name) {
        separate();
        JsonText.quote(out, name);
        out.append(':');
        needsComma = false;
        return this;
    }

    JsonWriter value(long number) {
        separate();
        out.append(number);
        return this;
    }

    JsonWriter value(boolean is) {
        separate();
        out.append(is);
        return this;
    }

    JsonWriter value(@Nullable CharSequence text) {
        separate();
        if (text == null) {
            out.append("null");
        } else {
            JsonText.quote(out, text);
        }
        return this;
    }

    /** A value that is JSON already. */
    JsonWriter json(CharSequence json) {
        separate();
        out.append(json);
        return this;
    }

    JsonWriter field(String name, long number) {
        return key(name).value(number);
    }

    JsonWriter field(String name, boolean is) {
        return key(name).value(is);
    }

    JsonWriter field(String name, @Nullable CharSequence text) {
        return key(name).value(text);
    }

    private void separate() {
        if (needsComma) {
            out.append(',');
        }
        needsComma = true;
    }

    ByteBuf bytes() {
        return ByteBufUtil.writeUtf8(UnpooledByteBufAllocator.DEFAULT, out);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
