/**
 * Faults of a real file system, for tests of this module and of the modules above it: {@link
 * io.rivulet.store.faults.FaultShim} controls a library that another process has preloaded. {@link
 * io.rivulet.store.faults.Ports} finds ports for the servers of all tests, and {@link io.rivulet.store.faults.Jcmd}
 * looks into their virtual machines.
 */
@NullMarked
package io.rivulet.store.faults;

import org.jspecify.annotations.NullMarked;
