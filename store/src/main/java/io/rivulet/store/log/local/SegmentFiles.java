package io.rivulet.store.log.local;

import io.rivulet.store.Durability;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.Disk.IoMode;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.io.ShortageException.Kind;
import io.rivulet.store.log.DamagedLogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates segment files and disposes of them. Owned by: log-segments thread, once the log is open.
 *
 * <p>An unfinished file is a spare: its name shows that its content has no meaning. It gets the name of a segment when
 * its header is on the disk, and loses the name before it is overwritten. The directory is synced after each rename. So
 * the row of segments never has a gap, and the content of a file always matches its name.
 */
final class SegmentFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentFiles.class);

    /** If groups are smaller than this on average, a force mostly writes metadata. */
    private static final int SMALL_GROUP_BYTES = 100 << 10;
    /** For a sparse segment: groups of any size, without zeros. */
    private static final int ANY_GROUPS = Integer.MAX_VALUE;

    private static final int LEAST_FILL_BYTES = 512 << 10;
    private static final int MOST_FILL_BYTES = 1 << 20;

    private final Disk disk;
    private final IoMode ioMode;
    private final long storeId;
    private final long segmentBytes;
    private final int maxSpares;
    private final boolean isForced;
    private final Runnable unused;
    private final ArrayDeque<String> spares = new ArrayDeque<>();
    private long nextSpareNumber;
    private volatile boolean stopped;

    SegmentFiles(Disk disk, LocalLogConfig config, long storeId, Runnable unused) {
        this.disk = disk;
        this.ioMode = config.ioMode();
        this.storeId = storeId;
        this.segmentBytes = config.segmentBytes();
        this.maxSpares = config.spareSegments();
        this.isForced = config.durability() == Durability.FSYNC;
        this.unused = unused;
    }

    /** Opens every segment, in order; the caller closes them. */
    List<Segment> open() throws IOException {
        List<Segment> row = new ArrayList<>();
        try {
            for (String name : disk.list()) {
                if (SegmentLayout.isSegment(name)) {
                    Segment segment = open(name);
                    row.add(segment);
                    checkFollows(row, segment);
                }
            }
            return row;
        } catch (IOException | RuntimeException e) {
            closeAll(row);
            throw e;
        }
    }

    static void closeAll(List<Segment> row) throws IOException {
        for (Segment segment : row) {
            segment.file().close();
        }
    }

    /** How many segments a log with this end needs. The later ones were prepared and are empty. */
    static int countHolding(List<Segment> row, long endLsn) {
        int count = 1;
        while (count < row.size() && row.get(count).baseLsn() < endLsn) {
            count++;
        }
        return count;
    }

    /** Whether this configuration would create such a segment. */
    boolean fits(Segment segment) {
        return segment.segmentBytes() == segmentBytes;
    }

    private Segment open(String name) throws IOException {
        DiskFile file = disk.open(name, ioMode);
        try {
            SegmentLayout.Header header = SegmentLayout.read(file);
            if (header.storeId() != storeId) {
                throw new DamagedLogException(
                        name,
                        SegmentLayout.STORE_ID_AT,
                        "the segment belongs to store " + Long.toHexString(header.storeId()) + ", not "
                                + Long.toHexString(storeId));
            }
            file.stopWriting();
            return new Segment(file, header, unused);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private static void checkFollows(List<Segment> row, Segment segment) throws DamagedLogException {
        if (row.size() > 1) {
            Segment before = row.get(row.size() - 2);
            if (before.limitLsn() != segment.baseLsn()) {
                throw segment.damaged(
                        segment.baseLsn(),
                        "the segment before it, which ends at lsn " + Long.toHexString(segment.baseLsn())
                                + ", is missing");
            }
        }
    }

    /** Reuses the spares of an earlier opening, and deletes those that do not fit. */
    void adoptSpares() throws IOException {
        for (String name : disk.list()) {
            if (SegmentLayout.isSpare(name)) {
                nextSpareNumber = Math.max(nextSpareNumber, SegmentLayout.spareNumber(name) + 1);
                adoptSpare(name);
            }
        }
    }

    private void adoptSpare(String name) throws IOException {
        boolean fits;
        try (DiskFile file = disk.open(name)) {
            fits = spares.size() < maxSpares && file.sizeBytes() == segmentBytes;
        } catch (IOException e) {
            LOG.warn("{} in {} can't be opened and is not used", name, disk.describe(), e);
            return;
        }
        if (fits) {
            spares.add(name);
        } else {
            disk.delete(name);
        }
    }

    /**
     * Creates the first segment of a log. Without zeros, so that it takes no time; the file system allocates its blocks
     * later.
     */
    Segment createFirst() throws IOException {
        return Objects.requireNonNull(create(0, ANY_GROUPS));
    }

    /**
     * Creates the segment that starts at this lsn, durably.
     *
     * @param groupBytes average size of the groups to come; if they are small, zeros are worth it, see {@link
     *     #fillWithZeros}
     * @return null if it was {@link #stop}ped meanwhile
     * @throws ShortageException if there is no space for it; the row of segments is unchanged
     */
    @Nullable
    Segment create(long baseLsn, int groupBytes) throws IOException {
        String name = SegmentLayout.fileName(baseLsn);
        SegmentLayout.Header fields = new SegmentLayout.Header(storeId, baseLsn, segmentBytes);
        if (!disk.exists(name)) { // It exists if there was no descriptor to open it.
            String spare = spares.isEmpty() ? createSpare(groupBytes) : spares.remove();
            if (spare == null) {
                return null;
            }
            makeSegment(spare, fields, name);
        }
        return new Segment(disk.open(name, ioMode), fields, unused);
    }

    private void makeSegment(String spare, SegmentLayout.Header fields, String name) throws IOException {
        try {
            try (DiskFile file = disk.open(spare, ioMode)) {
                ByteBuffer header = ByteBuffer.allocateDirect(2 * SegmentLayout.HEADER_BYTES)
                        .alignedSlice(SegmentLayout.HEADER_BYTES);
                fields.encode(header);
                file.write(0, header.limit(SegmentLayout.HEADER_BYTES));
                file.force();
            }
            disk.renameDurably(spare, name);
        } catch (ShortageException e) {
            spares.addFirst(spare);
            throw e;
        }
    }

    /** Any thread: stops the creation of a segment, which may take minutes on a slow disk. */
    void stop() {
        stopped = true;
    }

    private @Nullable String createSpare(int groupBytes) throws IOException {
        if (disk.usableBytes() < segmentBytes) {
            throw new ShortageException(
                    Kind.SPACE, disk.describe() + ": no space for another segment of " + segmentBytes);
        }
        String name = SegmentLayout.spareName(nextSpareNumber++);
        try (DiskFile file = disk.create(name, ioMode)) {
            if (isForced && groupBytes < SMALL_GROUP_BYTES) {
                fillWithZeros(file, groupBytes);
            } else {
                file.extend(segmentBytes);
            }
        } catch (ShortageException e) {
            if (disk.exists(name)) {
                disk.delete(name);
            }
            throw e;
        }
        if (stopped) {
            disk.delete(name);
            return null;
        }
        return name;
    }

    /**
     * Makes the file system allocate the blocks now. Then a force writes data only and no metadata, which halves its
     * time, and a full disk is found here and not in the middle of a group. For large groups the metadata matters less
     * than writing the bytes twice. Forces after about eight groups each, because a force by the log-writer may have to
     * wait for one of these.
     */
    private void fillWithZeros(DiskFile file, int groupBytes) throws IOException {
        int wanted = Math.min(MOST_FILL_BYTES, Math.max(LEAST_FILL_BYTES, Integer.highestOneBit(8 * groupBytes)));
        int stepBytes = (int) Math.min(wanted, segmentBytes);
        ByteBuffer zeros = ByteBuffer.allocateDirect(stepBytes + SegmentLayout.HEADER_BYTES)
                .alignedSlice(SegmentLayout.HEADER_BYTES);
        for (long address = 0; address < segmentBytes && !stopped; address += stepBytes) {
            zeros.clear().limit((int) Math.min(stepBytes, segmentBytes - address));
            file.write(address, zeros);
            file.force();
        }
    }

    /**
     * Disposes of a segment without users: keeps the file for the next one, or deletes it.
     *
     * @throws ShortageException then call it again before creating or disposing of another one
     */
    void dispose(Segment segment) throws IOException {
        segment.file().close();
        if (spares.size() < maxSpares && segment.segmentBytes() == segmentBytes) {
            String spare = SegmentLayout.spareName(nextSpareNumber);
            disk.renameDurably(segment.name(), spare);
            nextSpareNumber++;
            spares.add(spare);
            return;
        }
        if (disk.exists(segment.name())) {
            disk.delete(segment.name());
        }
        disk.syncDirectory();
    }
}
