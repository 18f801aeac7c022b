package io.rivulet.store.log.local;

import io.rivulet.store.io.DiskFile;
import io.rivulet.store.log.DamagedLogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a segment file, and its name. Big-endian.
 *
 * <pre>
 *   0        4        8        12       16
 *  +--------+--------+--------+--------+
 *  | magic  | crc32c | version| zero   |
 *  +--------+--------+--------+--------+ 16
 *  | storeId         | baseLsn         |
 *  +-----------------+-----------------+ 32
 *  | segmentBytes    | zeros to 4096   |
 *  +-----------------+-----------------+
 *  | groups from 4096; after the last one the earlier content of the file
 *  +-----------------------------------+ segmentBytes
 * </pre>
 *
 * <p>The CRC covers bytes 8 to 4096. A segment is the part of the endless log that begins at {@code baseLsn}: the lsn
 * of a byte is {@code baseLsn} plus its address. The next segment's {@code baseLsn} is this one's plus {@code
 * segmentBytes}.
 *
 * <p>Crash policy: durable, checksummed; complete before the file gets its name.
 */
final class SegmentLayout {
    static final int MAGIC = 0x52765365; // "RvSe"
    static final int VERSION = 1;
    static final int MAGIC_AT = 0;
    static final int CRC_AT = 4;
    static final int VERSION_AT = 8;
    static final int STORE_ID_AT = 16;
    static final int BASE_LSN_AT = 24;
    static final int SEGMENT_BYTES_AT = 32;
    static final int HEADER_BYTES = 4096;

    private static final HexFormat HEX = HexFormat.of();
    private static final int DIGITS = 16;
    private static final String SUFFIX = ".segment";
    private static final String SPARE_SUFFIX = ".spare";

    private SegmentLayout() {}

    static String fileName(long baseLsn) {
        return HEX.toHexDigits(baseLsn) + SUFFIX;
    }

    /** The name of a file that is being created or disposed of: its content has no meaning. */
    static String spareName(long number) {
        return HEX.toHexDigits(number) + SPARE_SUFFIX;
    }

    static long baseLsn(String segment) {
        return Long.parseUnsignedLong(segment.substring(0, DIGITS), 16);
    }

    static long spareNumber(String name) {
        return Long.parseUnsignedLong(name.substring(0, name.length() - SPARE_SUFFIX.length()), 16);
    }

    static boolean isSegment(String name) {
        return isNumbered(name, SUFFIX);
    }

    static boolean isSpare(String name) {
        return isNumbered(name, SPARE_SUFFIX);
    }

    /** Other names do not belong to this log, even with this suffix. */
    private static boolean isNumbered(String name, String suffix) {
        return name.length() == DIGITS + suffix.length()
                && name.endsWith(suffix)
                && name.chars().limit(DIGITS).allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }

    /** The fields of a header. */
    record Header(long storeId, long baseLsn, long segmentBytes) {
        /** @param header memory of at least {@link #HEADER_BYTES} */
        void encode(ByteBuffer header) {
            header.clear();
            for (int i = 0; i < HEADER_BYTES; i += Long.BYTES) {
                header.putLong(i, 0);
            }
            header.putInt(MAGIC_AT, MAGIC);
            header.putInt(VERSION_AT, VERSION);
            header.putLong(STORE_ID_AT, storeId);
            header.putLong(BASE_LSN_AT, baseLsn);
            header.putLong(SEGMENT_BYTES_AT, segmentBytes);
            header.putInt(CRC_AT, crc(header));
        }
    }

    /** @throws DamagedLogException if it is not a header of this version */
    static Header read(DiskFile file) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        int count = file.read(0, header);
        if (count < HEADER_BYTES) {
            throw new DamagedLogException(file.name(), count, "the file ends within its header");
        }
        if (header.getInt(MAGIC_AT) != MAGIC || header.getInt(CRC_AT) != crc(header)) {
            throw new DamagedLogException(file.name(), 0, "the segment's header is altered");
        }
        if (header.getInt(VERSION_AT) != VERSION) {
            throw new DamagedLogException(
                    file.name(), VERSION_AT, "version " + header.getInt(VERSION_AT) + " is not " + VERSION);
        }
        Header read =
                new Header(header.getLong(STORE_ID_AT), header.getLong(BASE_LSN_AT), header.getLong(SEGMENT_BYTES_AT));
        if (!file.name().equals(fileName(read.baseLsn()))) {
            throw new DamagedLogException(
                    file.name(), BASE_LSN_AT, "the file's name should be " + fileName(read.baseLsn()));
        }
        if (file.sizeBytes() < read.segmentBytes()) {
            throw new DamagedLogException(
                    file.name(), file.sizeBytes(), "the file should be " + read.segmentBytes() + " bytes long");
        }
        return read;
    }

    /** The fields of a written header, for any name and length of the file; null if it is altered. */
    static @Nullable Header written(DiskFile file) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        boolean sound = file.read(0, header) == HEADER_BYTES
                && header.getInt(MAGIC_AT) == MAGIC
                && header.getInt(CRC_AT) == crc(header)
                && header.getInt(VERSION_AT) == VERSION;
        return sound
                ? new Header(header.getLong(STORE_ID_AT), header.getLong(BASE_LSN_AT), header.getLong(SEGMENT_BYTES_AT))
                : null;
    }

    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(VERSION_AT, HEADER_BYTES - VERSION_AT));
        return (int) crc.getValue();
    }
}
