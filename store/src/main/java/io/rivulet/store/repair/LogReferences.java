package io.rivulet.store.repair;

import io.rivulet.store.huge.HugeFiles;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.stream.StreamRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Whether the log or a file has the payload of a block file's reference. Owned by: one thread. */
public final class LogReferences implements BlockSalvage.References {
    private final CommitLog log;
    private final HugeFiles huge;
    private final ByteBuffer payload = ByteBuffer.allocateDirect(StreamRecord.MAX_PAYLOAD_BYTES);

    public LogReferences(CommitLog log, HugeFiles huge) {
        this.log = log;
        this.huge = huge;
    }

    @Override
    public boolean isWhole(long lsn, int bodyIndex, int lengthBytes, int crc) {
        if (StreamRecord.isHuge(lsn)) {
            return huge.isWhole(lsn, lengthBytes, crc);
        }
        if (lsn < log.firstLsn() || lsn >= log.writtenLsn()) {
            return false;
        }
        try {
            log.read(lsn, bodyIndex, lengthBytes, payload.clear());
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
        CRC32C found = new CRC32C();
        found.update(payload.flip());
        return (int) found.getValue() == crc;
    }
}
