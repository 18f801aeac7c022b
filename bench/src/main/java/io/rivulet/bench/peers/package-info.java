/**
 * Compares Rivulet with other systems that hold many queues. Enters: a command. Leaves: a table. Systems take turns, so
 * that other load of the machine affects all of them.
 *
 * <p>A {@link io.rivulet.bench.peers.Peer} says how its server is started. A {@link
 * io.rivulet.bench.peers.PeerConnection} speaks its protocol. {@link io.rivulet.bench.peers.PeerRun} fills the queues,
 * measures, kills the server, starts it again and counts.
 *
 * <p>Threads: runs are on the command's thread, the load is on its own.
 */
@NullMarked
package io.rivulet.bench.peers;

import org.jspecify.annotations.NullMarked;
