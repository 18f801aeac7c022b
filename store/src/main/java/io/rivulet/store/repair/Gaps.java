package io.rivulet.store.repair;

import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.maintenance.BlockRegistry;
import io.rivulet.store.queue.QueueSnapshot;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamRecordHeader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds offsets that a start would expect in block files, and that are in none: from each queue's start to where the
 * replay continues the queue. Memory: the queue table, and 8 bytes for each queue. Owned by: one repair.
 */
final class Gaps {
    private final CommitLog log;

    Gaps(CommitLog log) {
        this.log = log;
    }

    List<Gap> find(Manifest manifest, BlockFiles files) throws IOException {
        QueueTable table = tableAtReplay(manifest, files);
        raiseToGapsOfTheLog(manifest, table);
        OffsetByQueue next = new OffsetByQueue(table, table::startOffset);
        List<Gap> gaps = new ArrayList<>();
        files.forEachVisibleBlock((file, block) -> {
            int queueId = block.queueId();
            if (!table.exists(queueId)) {
                return;
            }
            if (block.baseOffset() > next.get(queueId)) {
                gaps.add(new Gap(queueId, next.get(queueId), block.baseOffset(), file.fileNumber()));
            }
            next.raise(queueId, block.endOffset());
        });
        for (int queueId = 0; queueId < table.idLimit(); queueId++) {
            if (table.exists(queueId) && next.get(queueId) < table.tailStart(queueId)) {
                gaps.add(new Gap(queueId, next.get(queueId), table.tailStart(queueId), 0));
            }
        }
        return gaps;
    }

    /**
     * If a part of the log is lost, the next entry of a queue does not follow its known end. Then everything before
     * that entry must be in block files.
     */
    private void raiseToGapsOfTheLog(Manifest manifest, QueueTable table) throws IOException {
        OffsetByQueue expected = new OffsetByQueue(table, table::tailStart);
        LogEntries firsts = new LogEntries() {
            @Override
            public void batch(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt) {
                if (table.exists(queueId)) {
                    if (baseOffset > expected.get(queueId)) {
                        table.raiseTailStart(queueId, baseOffset);
                    }
                    expected.raise(queueId, baseOffset + header.recordCount());
                }
            }
        };
        LogEntries.replay(log, manifest.replayLsn(), group -> firsts);
    }

    /** The queues as in a start before it replays batches, but with the trims and deletions of the replay. */
    private QueueTable tableAtReplay(Manifest manifest, BlockFiles files) throws IOException {
        QueueTable table = new QueueTable();
        if (manifest.cycle() > 1) {
            log.loadSnapshot(
                    Checkpointer.QUEUES + (manifest.cycle() - 1),
                    in -> QueueSnapshot.read(new BufferedInputStream(Channels.newInputStream(in)), table));
        }
        BlockRegistry.raiseTailStarts(files, manifest.snapshotFileNumber(), table);
        LogEntries changes = new QueueChanges(table) {
            @Override
            public void trimmed(int queueId, long startOffset) {
                if (table.exists(queueId)) {
                    table.trim(queueId, startOffset);
                }
            }
        };
        LogEntries.replay(log, manifest.replayLsn(), group -> changes);
        return table;
    }
}
