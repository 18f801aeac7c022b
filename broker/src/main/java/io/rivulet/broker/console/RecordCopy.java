package io.rivulet.broker.console;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordHeader;
import io.rivulet.protocol.record.RecordHeaders;
import io.rivulet.protocol.record.RecordView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Copies one record into a batch of its own. Owned by: the read thread, for one request. */
final class RecordCopy implements RecordReader.Visitor, AutoCloseable {
    private final RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT);

    @Override
    public boolean record(RecordView record, boolean transactional) {
        List<RecordHeader> headers = new ArrayList<>();
        RecordHeaders all = record.headers();
        while (all.next()) {
            String name = record.buffer().toString(all.keyIndex(), all.keyLength(), StandardCharsets.UTF_8);
            ByteBuf value = all.value();
            headers.add(new RecordHeader(name, value == null ? null : ByteBufUtil.getBytes(value)));
        }
        builder.append(System.currentTimeMillis(), record.key(), record.value(), headers);
        return false;
    }

    @Override
    public boolean hidden(long offset, int count, String why) {
        throw HttpProblem.badRequest("the record can't be copied: " + why);
    }

    @Override
    public boolean goOn(long readBytes) {
        return false;
    }

    /** The caller releases it. */
    ByteBuf batch(long offset) {
        if (builder.recordCount() == 0) {
            throw ConsoleApi.notFound("there is no record at offset " + offset);
        }
        return builder.build();
    }

    @Override
    public void close() {
        builder.close();
    }
}
