/**
 * Writes one block file from front to back.
 *
 * <p>Enters: stream bytes of queues in (queueId, baseOffset) order. Leaves: a complete and durable file.
 *
 * <p>Thread: background.
 */
@NullMarked
package io.rivulet.store.block.write;

import org.jspecify.annotations.NullMarked;
