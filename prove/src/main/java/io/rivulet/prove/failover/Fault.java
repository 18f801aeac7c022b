package io.rivulet.prove.failover;

/** What happens in a round. */
enum Fault {
    OWNER_KILLED,
    /** Until another broker has taken over; then it goes on. */
    OWNER_PAUSED,
    OWNER_STOPPED,
    FOLLOWER_KILLED,
    /** A bookie is killed, paused or wiped, and perhaps the owner is stopped meanwhile. */
    BOOKIE_LOST,
    /** Meanwhile the owner is killed. */
    BOOKIE_LOST_AND_OWNER_KILLED,
    BOOKIE_LOST_AND_OWNER_PAUSED,
    /** All brokers, all bookies and ZooKeeper. */
    ALL_KILLED
}
