package io.rivulet.broker.group.classic;

import io.rivulet.broker.group.base.GroupImage;
import java.nio.ByteBuffer;

/**
 * The last {@link ClassicImage} of a group in the log, encoded.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
public final class ClassicStoredImage implements GroupImage {
    private byte[] bytes = {};

    @Override
    public void apply(ByteBuffer body) {
        bytes = new byte[body.remaining()];
        body.get(bytes);
    }

    @Override
    public ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes);
    }

    @Override
    public long heapBytes() {
        return bytes.length;
    }
}
