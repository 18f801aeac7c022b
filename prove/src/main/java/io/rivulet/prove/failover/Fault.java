package io.rivulet.prove.failover;

/** What happens in a round. */
enum Fault {
    OWNER_KILLED,
    /** Until another broker has taken over; then it goes on. */
    OWNER_PAUSED,
    OWNER_STOPPED,
    FOLLOWER_KILLED,
    /** A bookie is killed, paused or wiped, and perhaps an owner is killed, paused or stopped meanwhile. */
    BOOKIE_LOST,
    /** All brokers, all bookies and ZooKeeper. */
    ALL_KILLED
}
