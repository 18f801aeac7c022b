package io.rivulet.store.repair;

import io.rivulet.store.entry.EntryVisitor;
import io.rivulet.store.entry.EntryWalk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogGroupView;
import io.rivulet.store.stream.StreamRecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Function;

/** Skips every entry. Implementations override the entries that they need. */
public interface LogEntries extends EntryVisitor {
    /** Replays the log. The entries of each group go to the visitor that the function returns. */
    static void replay(CommitLog log, long fromLsn, Function<LogGroupView, LogEntries> visitors) throws IOException {
        EntryWalk walk = new EntryWalk();
        log.replay(fromLsn, group -> walk.walk(group.body(), 0, group.body().limit(), visitors.apply(group)));
    }

    @Override
    default void batch(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt) {}

    @Override
    default void queuesCreated(int firstQueueId, int count, int retentionClass) {}

    @Override
    default void queuesClassed(int firstQueueId, int count, int retentionClass) {}

    @Override
    default void queuesDeleted(int firstQueueId, int count) {}

    @Override
    default void trimmed(int queueId, long startOffset) {}

    @Override
    default void state(int viewId, ByteBuffer body, int at, int length) {}
}
