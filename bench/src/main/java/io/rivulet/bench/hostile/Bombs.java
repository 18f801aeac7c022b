package io.rivulet.bench.hostile;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.codec.Codec;
import java.util.EnumMap;
import java.util.Map;

/** Batches that are a thousand times larger when decompressed. Each is made once. Guarded by: the class. */
final class Bombs {
    private static final Map<Codec, ByteBuf> MADE = new EnumMap<>(Codec.class);

    private Bombs() {}

    static synchronized ByteBuf of(Codec codec, int bytes) {
        return MADE.computeIfAbsent(codec, absent -> make(absent, bytes));
    }

    private static ByteBuf make(Codec codec, int bytes) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            return builder.compression(codec)
                    .append(System.currentTimeMillis(), new byte[] {1}, new byte[bytes])
                    .build();
        }
    }
}
