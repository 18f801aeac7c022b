package io.rivulet.store.open;

import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a reader gets of a queue that begins at offset 0, with one record in each batch. Stateless. */
public final class ReadBack {
    private static final int BYTES_AT_ONCE = 1 << 20;

    private ReadBack() {}

    /** Copies of all batches, in order. */
    public static List<byte[]> all(StoreReader reader, int queueId) throws IOException {
        List<byte[]> found = new ArrayList<>();
        ReadStatus status = ReadStatus.BATCHES;
        while (status == ReadStatus.BATCHES) {
            status = reader.read(queueId, found.size(), BYTES_AT_ONCE, (base, count, time, bytes, at, length) -> {
                byte[] copy = new byte[length];
                bytes.get(at, copy);
                found.add(copy);
                return true;
            });
        }
        return found;
    }
}
