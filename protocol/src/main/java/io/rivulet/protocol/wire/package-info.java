/**
 * Bytes on the wire: the primitive types, and the seam that generated messages are written against.
 *
 * <p>In: one frame, a Netty buffer that the broker owns. Out: message fields, or a frame made from them.
 * Everything that bounds hostile input is in {@link io.rivulet.protocol.wire.WireReader}.
 *
 * <p>Threads: none of its own. Readers and writers belong to the thread that made them; {@code Records},
 * {@code Uuid} and {@code UnknownTag} are immutable.
 */
@NullMarked
package io.rivulet.protocol.wire;

import org.jspecify.annotations.NullMarked;
