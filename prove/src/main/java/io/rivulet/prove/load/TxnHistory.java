package io.rivulet.prove.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What producers wrote in transactions, and what readers with read_committed saw. {@link #violations} compares them.
 *
 * <p>Guarded by its monitor.
 */
final class TxnHistory {
    enum Fate {
        COMMITTED,
        ABORTED,
        /** The producer received no response. */
        UNKNOWN
    }

    /** A value and its partition, in the order of the writer. */
    record Write(String value, int partition) {}

    record Txn(String writer, Fate fate, List<Write> writes) {}

    record Read(long offset, String value) {}

    private final List<Txn> transactions = new ArrayList<>();
    private final Map<Integer, List<Read>> reads = new TreeMap<>();
    /** What readers saw while transactions were open. */
    private final List<Map<Integer, List<Read>>> earlierReads = new ArrayList<>();

    synchronized void add(Txn transaction) {
        transactions.add(transaction);
    }

    /** Records the whole partition, read after the end of all transactions. */
    synchronized void read(int partition, List<Read> all) {
        reads.put(partition, all);
    }

    /** Records what a reader saw while transactions were open. */
    synchronized void readEarlier(Map<Integer, List<Read>> seen) {
        earlierReads.add(seen);
    }

    synchronized int count(Fate fate) {
        return (int) transactions.stream().filter(one -> one.fate == fate).count();
    }

    synchronized List<String> violations() {
        List<String> found = new ArrayList<>();
        Map<String, Integer> partitionsRead = new HashMap<>();
        reads.forEach((partition, all) -> checkPartition(partition, all, partitionsRead, found));
        Map<String, Txn> owners = new HashMap<>();
        for (Txn one : transactions) {
            one.writes.forEach(write -> owners.put(write.value, one));
            checkTransaction(one, partitionsRead, found);
        }
        partitionsRead.keySet().stream()
                .filter(value -> !owners.containsKey(value))
                .forEach(value -> found.add(value + " was read but never written"));
        checkOrder(owners, found);
        for (Map<Integer, List<Read>> earlier : earlierReads) {
            earlier.forEach((partition, seen) -> checkEarlier(partition, seen, found));
        }
        return found;
    }

    private static void checkPartition(
            int partition, List<Read> all, Map<String, Integer> partitionsRead, List<String> found) {
        long last = -1;
        for (Read read : all) {
            if (read.offset <= last) {
                found.add("partition " + partition + " goes from offset " + last + " to " + read.offset);
            }
            last = read.offset;
            Integer before = partitionsRead.put(read.value, partition);
            if (before != null) {
                found.add(read.value + " was read twice");
            }
        }
    }

    private static void checkTransaction(Txn one, Map<String, Integer> partitionsRead, List<String> found) {
        int there = 0;
        for (Write write : one.writes) {
            Integer partition = partitionsRead.get(write.value);
            there += partition == null ? 0 : 1;
            if (partition != null && partition != write.partition) {
                found.add(write.value + " was read from another partition");
            }
        }
        if (one.fate == Fate.COMMITTED && there < one.writes.size()) {
            found.add("of a committed transaction, only " + there + " were read: " + one);
        } else if (one.fate == Fate.ABORTED && there > 0) {
            found.add("of an aborted transaction, " + there + " were read: " + one);
        } else if (there > 0 && there < one.writes.size()) {
            found.add("a transaction is incomplete, " + there + " were read: " + one);
        }
    }

    /** Each partition must have the values of a writer in the order in which it sent them. */
    private void checkOrder(Map<String, Txn> owners, List<String> found) {
        Map<String, Integer> places = new HashMap<>();
        Collection<Txn> all = transactions;
        for (Txn one : all) {
            one.writes.forEach(write -> places.put(write.value, places.size()));
        }
        reads.forEach((partition, seen) -> {
            Map<String, Integer> last = new HashMap<>();
            for (Read read : seen) {
                Txn owner = owners.get(read.value);
                if (owner != null) {
                    int place = places.getOrDefault(read.value, 0);
                    Integer before = last.put(owner.writer, place);
                    if (before != null && before > place) {
                        found.add(read.value + " comes after a value that was sent later");
                    }
                }
            }
        });
    }

    /** A later read must return the same as an earlier one. */
    private void checkEarlier(int partition, List<Read> seen, List<String> found) {
        List<Read> all = reads.getOrDefault(partition, List.of());
        for (int i = 0; i < seen.size(); i++) {
            if (i >= all.size() || !all.get(i).equals(seen.get(i))) {
                found.add("partition " + partition + ": an earlier reader saw " + seen.get(i) + ", a later one "
                        + (i < all.size() ? all.get(i) : "nothing"));
                return;
            }
        }
    }
}
