/**
 * Encrypted connections: keys and certificates from files, handshakes, and answers that are encrypted no faster than
 * they are read.
 *
 * <p>Entry: {@link io.rivulet.broker.tls.TlsListener}. Nothing of it is loaded without an encrypted listener.
 */
@NullMarked
package io.rivulet.broker.tls;

import org.jspecify.annotations.NullMarked;
