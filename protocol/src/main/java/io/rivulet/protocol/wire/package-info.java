/**
 * Bytes on the wire: the primitive types, and the interface of generated messages.
 *
 * <p>Enters: a frame, which is a Netty buffer of the broker. Leaves: message fields, or a frame made from them. {@link
 * io.rivulet.protocol.wire.WireReader} has all limits for hostile input.
 *
 * <p>Threads: none. Readers and writers belong to the thread that made them; {@code Records}, {@code Uuid} and {@code
 * UnknownTag} are immutable.
 */
@NullMarked
package io.rivulet.protocol.wire;

import org.jspecify.annotations.NullMarked;
