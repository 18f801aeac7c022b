package io.rivulet.protocol.record;

/**
 * The layout of a record batch with magic 2. All numbers are big-endian.
 *
 * <pre>
 *   byte  0        1        2        3        4        5        6        7
 *        +--------+--------+--------+--------+--------+--------+--------+--------+
 *      0 |                              base offset                              |
 *        +--------+--------+--------+--------+--------+--------+--------+--------+
 *      8 |  batch length: bytes from 12 on   |      partition leader epoch       |
 *        +--------+--------+--------+--------+--------+--------+--------+--------+
 *     16 | magic  |             CRC32C from 21 on              |   attributes    |
 *        +--------+--------+--------+--------+--------+-----------------+--------+
 *     23 |         last offset delta         | base timestamp, 8 bytes ...
 *        +--------+--------+--------+--------+--------+
 *     35 | max timestamp, 8 bytes ...
 *     43 | producer id, 8 bytes ...
 *     51 | producer epoch  |           base sequence           |  57 record count, 4 bytes
 *        +--------+--------+--------+--------+--------+--------+--------+--------+
 *     61 | records, one after the other; compressed as a whole when the attributes name a codec
 *
 *   attributes: 15..7 unused | 6 delete horizon | 5 control | 4 transactional | 3 log append time | 2..0 codec
 * </pre>
 *
 * One record; {@code varint} and {@code varlong} are zigzag coded, seven bits to a byte, least significant first:
 *
 * <pre>
 *   length varint (of what follows) | attributes int8, unused | timestamp delta varlong | offset delta varint
 *   key length varint, -1 for null | key | value length varint, -1 for null | value
 *   header count varint | for each: key length varint, key, value length varint (-1 for null), value
 * </pre>
 *
 * The CRC covers neither base offset nor leader epoch, so that a broker can stamp both without reading the batch.
 */
public final class RecordBatchLayout {
    public static final int BASE_OFFSET = 0;
    public static final int LENGTH = 8;
    public static final int PARTITION_LEADER_EPOCH = 12;

    /** At the same place in message sets of magic 0 and 1. */
    public static final int MAGIC = 16;

    public static final int CRC = 17;
    public static final int ATTRIBUTES = 21;
    public static final int LAST_OFFSET_DELTA = 23;
    public static final int BASE_TIMESTAMP = 27;
    public static final int MAX_TIMESTAMP = 35;
    public static final int PRODUCER_ID = 43;
    public static final int PRODUCER_EPOCH = 51;
    public static final int BASE_SEQUENCE = 53;
    public static final int RECORD_COUNT = 57;
    public static final int RECORDS = 61;

    public static final int HEADER_BYTES = RECORDS;

    /** Base offset and length: what the length field does not count. */
    public static final int LENGTH_OVERHEAD_BYTES = LENGTH + Integer.BYTES;

    /** The first byte that the CRC covers. */
    public static final int CRC_COVERS_FROM = ATTRIBUTES;

    public static final byte CURRENT_MAGIC = 2;

    public static final int CODEC_MASK = 0x07;
    public static final int LOG_APPEND_TIME_BIT = 0x08;
    public static final int TRANSACTIONAL_BIT = 0x10;
    public static final int CONTROL_BIT = 0x20;
    public static final int DELETE_HORIZON_BIT = 0x40;

    public static final long NO_TIMESTAMP = -1;
    public static final long NO_PRODUCER_ID = -1;
    public static final short NO_PRODUCER_EPOCH = -1;
    public static final int NO_SEQUENCE = -1;
    public static final int NO_PARTITION_LEADER_EPOCH = -1;

    /** A record with neither key, value nor headers, without its length. */
    static final int MIN_RECORD_BODY_BYTES = 6;

    /** The same with its length: what bounds the record count of an uncompressed batch. */
    public static final int MIN_RECORD_BYTES = MIN_RECORD_BODY_BYTES + 1;

    /** A header with an empty key and no value. */
    static final int MIN_RECORD_HEADER_BYTES = 2;

    private RecordBatchLayout() {}
}
