/**
 * Record batches, version 2: the unit that producers send, the log keeps and consumers fetch.
 *
 * <p>Enters: bytes of batches, from a client or from the log. Leaves: header fields, verdicts, records, and new
 * batches. A batch that is invalid leaves as one typed exception. Nothing here knows sockets, queues or files.
 *
 * <p>Threads: no class here is shared. A flyweight, a cursor or a check belongs to the thread that made it.
 */
@NullMarked
package io.rivulet.protocol.record;

import org.jspecify.annotations.NullMarked;
