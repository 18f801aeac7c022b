package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.LATEST_OF_KEY_STAYS;
import static io.rivulet.simulation.Promise.NOTHING_ELSE;
import static io.rivulet.simulation.Promise.NOTHING_TWICE;
import static io.rivulet.simulation.Promise.RECORDS_STAY;
import static io.rivulet.simulation.Promise.TRANSACTIONS_ARE_WHOLE;
import static io.rivulet.simulation.Promise.WHAT_WAS_READ_STAYS;

import io.rivulet.simulation.SentTransaction.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** What a partition should hold: what was sent to it, and what was read from it. */
final class PartitionLog {
    final String topic;
    final int partition;
    final boolean compacted;
    private final List<SentBatch> sent = new ArrayList<>();
    private final Map<String, SentBatch> byRecord = new HashMap<>();
    private final NavigableMap<Long, ReadRecord> read = new TreeMap<>();

    PartitionLog(String topic, int partition, boolean compacted) {
        this.topic = topic;
        this.partition = partition;
        this.compacted = compacted;
    }

    void sent(SentBatch batch) {
        sent.add(batch);
        for (int i = 0; i < batch.count; i++) {
            byRecord.put(batch.producer + "/" + (batch.firstNumber + i), batch);
        }
    }

    List<SentBatch> batches() {
        return sent;
    }

    /** The batch of a record that somebody has read. */
    SentBatch batch(ReadRecord record) {
        SentBatch batch = byRecord.get(record.producer() + "/" + record.number());
        if (batch == null) {
            throw NOTHING_ELSE.broken(this + " has a record that was not sent there: " + record, null);
        }
        NOTHING_ELSE.require(batch.state != SentBatch.State.REFUSED, "%s has %s of %s", this, record, batch);
        return batch;
    }

    /** A consumer has read the record. */
    void wasRead(ReadRecord record) {
        SentBatch batch = batch(record);
        ReadRecord before = read.putIfAbsent(record.offset(), record);
        WHAT_WAS_READ_STAYS.require(
                before == null || before.equals(record), "%s has %s instead of %s", this, record, before);
        if (batch.offset != SentBatch.NO_OFFSET) {
            long expected = batch.offset + record.number() - batch.firstNumber;
            RECORDS_STAY.require(record.offset() == expected, "%s of %s is at %s", record, batch, record.offset());
        }
    }

    /** The offsets of all records that are there. */
    Set<Long> offsets() {
        return read.keySet();
    }

    /** A consumer of committed records has read it. */
    void wasReadCommitted(ReadRecord record) {
        SentTransaction transaction = batch(record).transaction;
        if (transaction != null) {
            TRANSACTIONS_ARE_WHOLE.require(
                    transaction.fate == Fate.COMMITTED || transaction.fate == Fate.MAY_BE_COMMITTED,
                    "%s of %s was read",
                    record,
                    transaction);
            transaction.fate = Fate.COMMITTED;
        }
    }

    /** Compares all records of the partition with what should be there. */
    void check(LogReader all) {
        NavigableMap<Long, ReadRecord> found = new TreeMap<>();
        Set<String> names = new HashSet<>();
        Map<String, Long> lastOf = new HashMap<>();
        for (ReadRecord record : all.records()) {
            found.put(record.offset(), record);
            NOTHING_TWICE.require(
                    names.add(record.producer() + "/" + record.number()), "%s has %s twice", this, record);
            Long before = lastOf.put(record.producer() + "/" + batch(record).connection, record.number());
            RECORDS_STAY.require(
                    before == null || before < record.number(), "%s has %s after %s", this, record, before);
        }
        all.records().forEach(this::wasRead);
        if (compacted) {
            checkLatest(found);
        } else {
            RECORDS_STAY.require(all.isContiguous(), "%s has a gap", this);
            for (Map.Entry<Long, ReadRecord> entry : read.entrySet()) {
                WHAT_WAS_READ_STAYS.require(
                        found.containsKey(entry.getKey()), "%s has lost %s", this, entry.getValue());
            }
            sent.forEach(batch -> checkBatch(batch, found, names));
        }
    }

    private void checkBatch(SentBatch batch, NavigableMap<Long, ReadRecord> found, Set<String> names) {
        int there = 0;
        for (int i = 0; i < batch.count; i++) {
            there += names.contains(batch.producer + "/" + (batch.firstNumber + i)) ? 1 : 0;
        }
        RECORDS_STAY.require(there == 0 || there == batch.count, "%s has %s records of %s", this, there, batch);
        if (batch.state == SentBatch.State.ACKNOWLEDGED) {
            RECORDS_STAY.require(there == batch.count, "%s has lost %s; it has %s", this, batch, found.size());
        }
    }

    private void checkLatest(NavigableMap<Long, ReadRecord> found) {
        Map<String, Long> latestFound = new HashMap<>();
        found.values().forEach(record -> latestFound.merge(record.key(), record.offset(), Math::max));
        Map<String, Long> latest = new HashMap<>();
        for (SentBatch batch : sent) {
            if (batch.state == SentBatch.State.ACKNOWLEDGED && batch.offset != SentBatch.NO_OFFSET) {
                for (int i = 0; i < batch.count; i++) {
                    latest.merge(SentBatch.key(batch.firstNumber + i), batch.offset + i, Math::max);
                }
            }
        }
        latest.forEach((key, offset) -> LATEST_OF_KEY_STAYS.require(
                latestFound.getOrDefault(key, -1L) >= offset,
                "%s: the last record of %s is at %s, not at %s",
                this,
                key,
                latestFound.get(key),
                offset));
    }

    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}
