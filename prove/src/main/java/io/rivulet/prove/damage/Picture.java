package io.rivulet.prove.damage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that a broker says about its records and its state. Owned by: one thread, then immutable.
 *
 * @param records by partition, then offset: a text that differs if the record does
 * @param state a line for each thing: a topic, a committed offset, a rule
 * @param failed by partition: offsets whose read failed with an error
 * @param unusable partitions of topics that are there, and that have no offsets
 */
public record Picture(
        Map<String, NavigableMap<Long, String>> records,
        Set<String> state,
        Map<String, Set<Long>> failed,
        Set<String> unusable) {
    private static final int MOST_LINES = 12;
    private static final String COMPACTED = "compacted-";

    public Picture() {
        this(new TreeMap<>(), new TreeSet<>(), new TreeMap<>(), new TreeSet<>());
    }

    /** How many records there are. */
    long count() {
        return records.values().stream().mapToLong(Map::size).sum();
    }

    boolean isWhole() {
        return failed.isEmpty();
    }

    /** What is different from the truth without an error that says so. */
    public List<String> silentlyWrong(Picture truth) {
        List<String> found = new ArrayList<>();
        wrongRecords(truth, true, found);
        truth.state.stream()
                .filter(line -> !state.contains(line) && !isExcused(line))
                .forEach(line -> found.add("state is lost: " + line));
        state.stream()
                .filter(line -> !truth.state.contains(line))
                .forEach(line -> found.add("state was never so: " + line));
        return shortened(found);
    }

    /**
     * What is there and was never written. Partitions that the truth does not name are those that a repair made.
     * Records that were deleted or compacted may come back, because their deletion may be lost.
     */
    List<String> altered(Picture truth) {
        List<String> found = new ArrayList<>();
        wrongRecords(truth, false, found);
        return shortened(found);
    }

    /** Compaction goes on after each start: a record may go when there is a later one with its key. */
    private static boolean isCompacted(String partition, long offset, String value, NavigableMap<Long, String> served) {
        return partition.startsWith(COMPACTED)
                && served.tailMap(offset, false).values().stream()
                        .anyMatch(later -> key(later).equals(key(value)));
    }

    private static String key(String record) {
        return record.split(" ", -1)[1];
    }

    /** Aborted transactions are in the answer to a fetch, which may have failed. */
    private boolean isExcused(String line) {
        return failed.keySet().stream().anyMatch(partition -> line.startsWith("aborted in " + partition + ":"));
    }

    private void wrongRecords(Picture truth, boolean allMustBeThere, List<String> found) {
        unusable.forEach(partition -> found.add("a topic is there, but not its partition " + partition));
        truth.records.forEach((partition, wanted) -> {
            NavigableMap<Long, String> served = records.getOrDefault(partition, new TreeMap<>());
            Set<Long> known = failed.getOrDefault(partition, Set.of());
            wanted.forEach((offset, value) -> {
                String there = served.get(offset);
                if (there == null
                        && allMustBeThere
                        && !known.contains(offset)
                        && !isCompacted(partition, offset, value, served)) {
                    found.add("silently missing: " + partition + " offset " + offset);
                } else if (there != null && !there.equals(value)) {
                    found.add("altered: " + partition + " offset " + offset + " is " + there + ", was " + value);
                }
            });
            long end = wanted.isEmpty() ? 0 : wanted.lastKey();
            served.keySet().stream()
                    .filter(offset -> !wanted.containsKey(offset)
                            && (offset > end || (allMustBeThere && !partition.startsWith(COMPACTED))))
                    .forEach(offset -> found.add("never written: " + partition + " offset " + offset));
        });
    }

    private static List<String> shortened(List<String> found) {
        if (found.size() <= MOST_LINES) {
            return found;
        }
        List<String> some = new ArrayList<>(found.subList(0, MOST_LINES));
        some.add("and " + (found.size() - MOST_LINES) + " more");
        return some;
    }
}
