package io.rivulet.cluster.ledger;

import io.rivulet.store.log.DamagedLogException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What a log is: the record that every decision about it replaces by compare and swap. So an owner that was replaced
 * can decide nothing any more. Big-endian.
 *
 * <pre>
 *   0        4        8        12       16
 *  +--------+--------+--------+--------+
 *  | magic  | crc32c | version| ledgers|
 *  +--------+--------+--------+--------+ 16
 *  | storeId         | epoch           |
 *  +-----------------+-----------------+ 32
 *  | trimmedLsn      | next   |unneeded| 48
 *  +-----------------+--------+--------+
 *  | ledgers ...  (ordinal: 4, id: 8)
 *  | unneeded ... (id: 8)
 *  +------------------------------------
 * </pre>
 *
 * <p>The CRC covers everything from byte 8 on.
 *
 * @param isShared whether stores of several directories open it
 * @param epoch counts the openings
 * @param trimmedLsn groups before it are trimmed; none at or after it
 * @param nextOrdinal of the next ledger
 * @param ledgers in the order of the log
 * @param unneeded ledgers that hold nothing of the log and may exist: one that is being made, and those to be deleted
 */
public record LogRecord(
        boolean isShared,
        long storeId,
        long epoch,
        long trimmedLsn,
        int nextOrdinal,
        List<Part> ledgers,
        List<Long> unneeded) {
    /** A ledger of the log. */
    public record Part(int ordinal, long id) {}

    private static final int MAGIC = 0x52764c67; // "RvLg"
    private static final int VERSION = 2;
    /** Of a log that is shared. */
    private static final int SHARED_VERSION = 3;

    private static final int MAGIC_AT = 0;
    private static final int CRC_AT = 4;
    private static final int VERSION_AT = 8;
    private static final int COUNT_AT = 12;
    private static final int STORE_ID_AT = 16;
    private static final int EPOCH_AT = 24;
    private static final int TRIMMED_AT = 32;
    private static final int NEXT_AT = 40;
    private static final int UNNEEDED_AT = 44;
    private static final int LEDGERS_AT = 48;
    private static final int LEDGER_BYTES = 12;

    public LogRecord {
        ledgers = List.copyOf(ledgers);
        unneeded = List.copyOf(unneeded);
    }

    static LogRecord first(long storeId, boolean isShared) {
        return new LogRecord(
                isShared, storeId, 0, Lsns.of(Lsns.FIRST_ORDINAL, 0), Lsns.FIRST_ORDINAL, List.of(), List.of());
    }

    /** Whether there may ever have been a group. */
    boolean hasHadLedgers() {
        return nextOrdinal > Lsns.FIRST_ORDINAL;
    }

    int lastOrdinal() {
        return nextOrdinal - 1;
    }

    LogRecord claimed() {
        return new LogRecord(isShared, storeId, epoch + 1, trimmedLsn, nextOrdinal, ledgers, unneeded);
    }

    /** With this ledger as the last one. */
    LogRecord with(long ledgerId) {
        if (!ledgers.isEmpty() && ledgers.get(ledgers.size() - 1).id == ledgerId) {
            return this;
        }
        List<Part> more = new ArrayList<>(ledgers);
        more.add(new Part(nextOrdinal, ledgerId));
        List<Long> others = withoutUnneeded(List.of(ledgerId)).unneeded;
        return new LogRecord(isShared, storeId, epoch, trimmedLsn, nextOrdinal + 1, more, others);
    }

    /** These ledgers hold nothing of the log any more. */
    LogRecord without(List<Integer> ordinals) {
        List<Part> rest = new ArrayList<>();
        List<Long> more = new ArrayList<>(unneeded);
        for (Part part : ledgers) {
            if (ordinals.contains(part.ordinal)) {
                more.add(part.id);
            } else {
                rest.add(part);
            }
        }
        return new LogRecord(isShared, storeId, epoch, trimmedLsn, nextOrdinal, rest, more);
    }

    LogRecord trimmed(long lsn, List<Integer> ordinals) {
        LogRecord rest = without(ordinals);
        return new LogRecord(isShared, storeId, epoch, lsn, nextOrdinal, rest.ledgers, rest.unneeded);
    }

    LogRecord withUnneeded(long ledgerId) {
        List<Long> more = new ArrayList<>(unneeded);
        more.add(ledgerId);
        return new LogRecord(isShared, storeId, epoch, trimmedLsn, nextOrdinal, ledgers, more);
    }

    /** These ledgers do not exist. */
    LogRecord withoutUnneeded(List<Long> ids) {
        List<Long> rest = unneeded.stream().filter(id -> !ids.contains(id)).toList();
        return new LogRecord(isShared, storeId, epoch, trimmedLsn, nextOrdinal, ledgers, rest);
    }

    ByteBuffer encode() {
        ByteBuffer bytes =
                ByteBuffer.allocate(LEDGERS_AT + ledgers.size() * LEDGER_BYTES + unneeded.size() * Long.BYTES);
        bytes.putInt(MAGIC_AT, MAGIC);
        bytes.putInt(VERSION_AT, isShared ? SHARED_VERSION : VERSION);
        bytes.putInt(COUNT_AT, ledgers.size());
        bytes.putLong(STORE_ID_AT, storeId);
        bytes.putLong(EPOCH_AT, epoch);
        bytes.putLong(TRIMMED_AT, trimmedLsn);
        bytes.putInt(NEXT_AT, nextOrdinal);
        bytes.putInt(UNNEEDED_AT, unneeded.size());
        bytes.position(LEDGERS_AT);
        for (Part part : ledgers) {
            bytes.putInt(part.ordinal).putLong(part.id);
        }
        unneeded.forEach(bytes::putLong);
        bytes.putInt(CRC_AT, crc(bytes));
        return bytes.rewind();
    }

    /** @throws DamagedLogException if these are not the bytes of a record, or a later version has written it */
    public static LogRecord decode(String name, ByteBuffer stored) throws DamagedLogException {
        ByteBuffer bytes = stored.slice();
        if (bytes.limit() < LEDGERS_AT || bytes.getInt(MAGIC_AT) != MAGIC || bytes.getInt(CRC_AT) != crc(bytes)) {
            throw new DamagedLogException(name, 0, "the record of the log is altered");
        }
        int version = bytes.getInt(VERSION_AT);
        if (version != VERSION && version != SHARED_VERSION) {
            throw new DamagedLogException(
                    name, VERSION_AT, "version " + version + " is not " + VERSION + " or " + SHARED_VERSION);
        }
        List<Part> ledgers = new ArrayList<>();
        bytes.position(LEDGERS_AT);
        for (int i = 0; i < bytes.getInt(COUNT_AT); i++) {
            ledgers.add(new Part(bytes.getInt(), bytes.getLong()));
        }
        List<Long> unneeded = new ArrayList<>();
        for (int i = 0; i < bytes.getInt(UNNEEDED_AT); i++) {
            unneeded.add(bytes.getLong());
        }
        return new LogRecord(
                version == SHARED_VERSION,
                bytes.getLong(STORE_ID_AT),
                bytes.getLong(EPOCH_AT),
                bytes.getLong(TRIMMED_AT),
                bytes.getInt(NEXT_AT),
                ledgers,
                unneeded);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(VERSION_AT, bytes.limit() - VERSION_AT));
        return (int) crc.getValue();
    }
}
