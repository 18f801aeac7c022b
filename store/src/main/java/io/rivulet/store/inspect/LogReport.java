package io.rivulet.store.inspect;

import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.LogGroupView;
import io.rivulet.store.log.local.LogInspector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes and checks the commit log. Owned by: one inspection. */
final class LogReport implements LogInspector.Visitor {
    private static final long NO_LSN = -1;
    private static final long PROGRESS_BYTES = 16 << 20;

    /** The content of one segment. */
    private static final class Segment {
        private final long baseLsn;
        private final long bytes;
        private long groups;
        private long entries;
        private long firstLsn = NO_LSN;
        private long lastLsn = NO_LSN;

        Segment(long baseLsn, long bytes) {
            this.baseLsn = baseLsn;
            this.bytes = bytes;
        }
    }

    private final Findings findings;
    private final Map<String, Segment> segments = new LinkedHashMap<>();
    private final List<Damage> damages = new ArrayList<>();
    private long storeId;
    private boolean hasState;
    private long firstLsn = NO_LSN;
    private long endLsn = NO_LSN;
    private long reportedLsn = NO_LSN;
    private long walkedFromLsn = Long.MAX_VALUE;
    private long groups;
    private long lowestEpoch = Long.MAX_VALUE;
    private long highestEpoch;
    private String end = "";

    private LogReport(Findings findings) {
        this.findings = findings;
    }

    static LogReport of(Disk disk, Findings findings) throws IOException {
        LogReport report = new LogReport(findings);
        findings.line("log in %s", disk.describe());
        LogInspector.inspect(disk, report);
        report.print();
        return report;
    }

    private void print() {
        segments.forEach((file, segment) -> findings.line(
                "  segment %s: from lsn %x, %,d bytes, %,d groups with %,d entries%s",
                file,
                segment.baseLsn,
                segment.bytes,
                segment.groups,
                segment.entries,
                segment.groups == 0 ? "" : ", lsn " + hex(segment.firstLsn) + " to " + hex(segment.lastLsn)));
        findings.line(
                "  %,d groups%s%s",
                groups, groups == 0 ? "" : ", written in epochs " + lowestEpoch + " to " + highestEpoch, end);
    }

    /** As in the names of segments and the messages of the log. */
    static String hex(long lsn) {
        return Long.toHexString(lsn);
    }

    @Override
    public void state(long id, long epoch, long durableLsn, boolean clean) {
        storeId = id;
        hasState = true;
        findings.line(
                "  store %016x, epoch %d, durable to lsn %x at least, %s",
                id, epoch, durableLsn, clean ? "closed in good order" : "not closed: a start replays what follows");
    }

    @Override
    public void segment(String file, long baseLsn, long segmentBytes) {
        segments.put(file, new Segment(baseLsn, segmentBytes));
        firstLsn = firstLsn == NO_LSN ? baseLsn : Math.min(firstLsn, baseLsn);
    }

    @Override
    public void walkedFrom(long lsn) {
        walkedFromLsn = lsn;
    }

    @Override
    public void group(String file, long address, LogGroupView group) {
        groups++;
        if (group.lsn() - reportedLsn >= PROGRESS_BYTES) {
            reportedLsn = group.lsn();
            long bytes = segments.values().stream().mapToLong(one -> one.bytes).sum();
            findings.progress("log", group.lsn() - firstLsn, bytes);
        }
        lowestEpoch = Math.min(lowestEpoch, group.epoch());
        highestEpoch = Math.max(highestEpoch, group.epoch());
        endLsn = Math.max(endLsn, group.lsn());
        Segment segment = segments.get(file);
        if (segment != null) {
            segment.groups++;
            segment.entries += group.entryCount();
            segment.firstLsn = segment.firstLsn == NO_LSN ? group.lsn() : segment.firstLsn;
            segment.lastLsn = group.lsn();
        }
    }

    @Override
    public void problem(String file, long address, String what) {
        damages.add(new Damage(file, address, Long.MAX_VALUE, what));
    }

    @Override
    public void damage(String file, long address, long untilLsn, String what) {
        damages.add(new Damage(file, address, untilLsn, what));
    }

    @Override
    public void end(String file, long address, long lsn, String what) {
        endLsn = Math.max(endLsn, lsn);
        end = "; ends at lsn " + hex(lsn) + ", " + file + " byte " + address + ": " + what;
    }

    boolean hasState() {
        return hasState;
    }

    long storeId() {
        return storeId;
    }

    boolean isEmpty() {
        return groups == 0;
    }

    /**
     * Call it once the manifest is known. Damage that ends before the start of the replay affects only reads of large
     * batches there, unless the opening of the log reads it too.
     */
    void reportDamages(@Nullable Manifest manifest, boolean referencesAreRead) {
        for (Damage damage : damages) {
            Segment segment = segments.get(damage.file());
            String where = "log/" + damage.file() + " at byte " + damage.address();
            boolean isGroup = segment != null && damage.address() >= LogInspector.FIRST_GROUP_AT;
            boolean inFront = segment != null
                    && isGroup
                    && manifest != null
                    && damage.untilLsn() <= Math.min(manifest.replayLsn(), walkedFromLsn);
            if (inFront && referencesAreRead) {
                findings.line(
                        "  %s: %s; a start does not replay it; references to it are checked below",
                        where, damage.what());
                continue;
            }
            findings.problem(where, damage.what());
            if (inFront) {
                findings.remedy("drops the large batches there that block files refer to, and nothing else");
            } else if (isGroup) {
                findings.remedy("--cut-log drops the rest of the log, except what is in block files");
            } else {
                findings.remedy("rebuilds it from the rest of the log if possible");
            }
        }
    }

    /** @param untilLsn where damaged groups end; the greatest number if that is unknown */
    private record Damage(String file, long address, long untilLsn, String what) {}

    /** Whether nothing was ever trimmed. */
    boolean isWhole() {
        return firstLsn == 0;
    }

    /** Where the first segment begins. */
    long firstLsn() {
        return firstLsn;
    }

    /** The lsn after the last valid group. */
    long endLsn() {
        return endLsn;
    }
}
