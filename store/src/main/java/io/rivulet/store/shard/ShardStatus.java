package io.rivulet.store.shard;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the other machines say about a shard, for operators. Immutable.
 *
 * @param name of its log
 * @param isShared whether several brokers own it by turns. Otherwise nobody says who is alive, and who owns it
 * @param ownerId {@link Overview#NOBODY} if nobody alive owns it
 * @param epoch counts the owners
 * @param sinceMillis when the last owner claimed it, or gave it back, by the clock of that machine; 0 if it is unknown
 * @param peers those that are alive, by id
 * @param ledgers of the log, in its order
 * @param unneeded ids of ledgers that the log names to delete them, or that it was about to make
 * @param orphans ids of ledgers that were made for the log, and that it does not name; null if nobody has looked
 * @param bookies all that have ever kept something
 */
public record ShardStatus(
        String name,
        boolean isShared,
        int ownerId,
        long epoch,
        long sinceMillis,
        List<Peer> peers,
        List<Ledger> ledgers,
        List<Long> unneeded,
        @Nullable List<Long> orphans,
        List<Bookie> bookies) {
    public ShardStatus {
        peers = List.copyOf(peers);
        ledgers = List.copyOf(ledgers);
        unneeded = List.copyOf(unneeded);
        orphans = orphans == null ? null : List.copyOf(orphans);
        bookies = List.copyOf(bookies);
    }

    /** Whether a ledger gets more entries. */
    public enum LedgerState {
        OPEN,
        IN_RECOVERY,
        CLOSED,
        /** The log names it, and it is not there. */
        MISSING
    }

    /**
     * A part of the log.
     *
     * @param entries -1 if nobody says
     * @param bytes of one copy; -1 if nobody says
     * @param createdMillis 0 if it is unknown
     * @param copies of each entry
     * @param bookies that have its last entries
     */
    public record Ledger(
            long id,
            LedgerState state,
            long entries,
            long bytes,
            long createdMillis,
            int copies,
            List<String> bookies) {
        public Ledger {
            bookies = List.copyOf(bookies);
        }
    }

    /** What a bookie takes. */
    public enum BookieState {
        WRITABLE,
        READ_ONLY,
        /** It is not there. */
        LOST
    }

    /**
     * A machine that keeps ledgers.
     *
     * @param address host:port; empty if it is not known
     */
    public record Bookie(String id, String address, BookieState state) {}
}
