package io.rivulet.store.inspect;

import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.huge.HugeFiles;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.local.LocalCommitLog;
import io.rivulet.store.repair.LogEntries;
import io.rivulet.store.repair.LogReferences;
import io.rivulet.store.stream.StreamRecord;
import io.rivulet.store.stream.StreamRecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Checks the files of huge batches that a replay refers to. Those that block files refer to are checked with the block
 * files. Owned by: one inspection.
 */
final class HugeReport implements LogEntries {
    private record Reference(int queueId, long baseOffset, int offsets, int lengthBytes, int crc) {}

    /** By the lsn of the reference, so by the number of the file. */
    private final SortedMap<Long, Reference> references = new TreeMap<>();

    private HugeReport() {}

    static void versions(HugeFiles files, Findings findings) throws IOException {
        List<String> names = files.names();
        if (!names.isEmpty()) {
            findings.line("%s holds %,d files of huge batches", HugeFiles.FOLDER, names.size());
        }
        for (String name : names) {
            files.wrongVersion(name).ifPresent(what -> {
                findings.problem(HugeFiles.FOLDER + "/" + name, "it " + what);
                findings.remedy("leaves it: a later version of Rivulet wrote it, and can read it");
            });
        }
    }

    static void report(Disk root, Manifest manifest, Findings findings) throws IOException {
        try (CommitLog log = LocalCommitLog.openUnchanged(root.directory("log"))) {
            if (manifest.replayLsn() < log.firstLsn() || manifest.replayLsn() > log.writtenLsn()) {
                return; // the start of the replay is missing, which was reported
            }
            HugeReport report = new HugeReport();
            LogEntries.replay(log, manifest.replayLsn(), group -> report);
            report.check(new LogReferences(log, new HugeFiles(root, log.storeId(), false)), findings);
        } catch (DamagedLogException e) {
            findings.line("huge batches of a damaged log are not checked");
        }
    }

    private void check(LogReferences files, Findings findings) {
        references.forEach((lsn, reference) -> {
            if (!files.isWhole(lsn, 0, reference.lengthBytes(), reference.crc())) {
                findings.problem(
                        HugeFiles.path(StreamRecord.hugeNumber(lsn)),
                        "it is missing or damaged; queue " + reference.queueId() + " can't be read at offset "
                                + reference.baseOffset());
                findings.remedy("drops the batch when it is in a block file; until then it can only be deleted");
            }
        });
    }

    @Override
    public void batch(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt) {
        if (header.isReference()) {
            long lsn = header.referenceLsn(body, recordAt);
            references.put(
                    lsn,
                    new Reference(
                            queueId,
                            baseOffset,
                            header.recordCount(),
                            header.referenceLength(body, recordAt),
                            header.referenceCrc(body, recordAt)));
        }
    }

    @Override
    public void queuesDeleted(int firstQueueId, int count) {
        references.values().removeIf(one -> one.queueId() >= firstQueueId && one.queueId() - firstQueueId < count);
    }

    @Override
    public void trimmed(int queueId, long startOffset) {
        references
                .values()
                .removeIf(one -> one.queueId() == queueId && one.baseOffset() + one.offsets() <= startOffset);
    }
}
