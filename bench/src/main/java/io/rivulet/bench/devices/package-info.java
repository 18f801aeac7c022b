/**
 * Devices that connect, send a few requests, and stay or leave.
 *
 * <p>Enters: a broker, the requests of a device. Leaves: when each device was answered, and whether its handshake
 * resumed a session.
 *
 * <p>Threads: the event loops of {@link io.rivulet.bench.devices.Devices}, and that of the load.
 */
@NullMarked
package io.rivulet.bench.devices;

import org.jspecify.annotations.NullMarked;
