/**
 * Record batches, version 2: the unit that producers send, the log keeps and consumers fetch.
 *
 * <p>In: bytes of batches, from a client or from the log. Out: header fields, verdicts, records, and batches built
 * anew. Nothing here knows sockets, queues or files; what is wrong with a batch leaves as one typed exception.
 *
 * <p>Threads: no class here is shared. A flyweight, a cursor or a check belongs to the thread that made it.
 */
@NullMarked
package io.rivulet.protocol.record;

import org.jspecify.annotations.NullMarked;
