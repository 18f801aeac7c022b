package io.rivulet.simulation;

import org.jspecify.annotations.Nullable;

/** What a broker promises to its clients, before and after each cut of the power. */
enum Promise {
    /** An acknowledged record is at its offset, with its bytes. Records of a producer are in the order of sending. */
    RECORDS_STAY,
    /** What a consumer has read stays where it was. */
    WHAT_WAS_READ_STAYS,
    /** No record is there twice, however often an idempotent producer has sent it. */
    NOTHING_TWICE,
    /** Nothing is there that was refused or never sent, and no byte is altered. */
    NOTHING_ELSE,
    /** The records of a transaction and its offsets are there, or none of them. */
    TRANSACTIONS_ARE_WHOLE,
    /** A committed offset is the one that was committed last. */
    OFFSETS_STAY,
    /** Producer ids are given once; epochs of producers, groups and members rise. */
    EPOCHS_RISE,
    /** Topics, their partitions and configs are as they were acknowledged. */
    TOPICS_STAY,
    /** Users, rules of access, quotas and configs of groups are as they were acknowledged. */
    SETTINGS_STAY,
    /** A share group gets no record that it has acknowledged, and each of the others. */
    SHARES_STAY,
    /** Compaction keeps the last record of each key. */
    LATEST_OF_KEY_STAYS,
    /** Each request is answered, in its order. */
    ANSWERS_COME,
    /** A cut alone never makes a broker refuse to start, or fail later. */
    STARTS_AND_WORKS;

    BrokenPromise broken(String what, @Nullable Throwable cause) {
        return new BrokenPromise(this, what, cause);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not on the class path
    void require(boolean holds, String what, @Nullable Object... arguments) {
        if (!holds) {
            throw broken(String.format(what, arguments), null);
        }
    }
}
