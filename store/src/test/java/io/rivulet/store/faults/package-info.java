/**
 * Faults of a real file system, for tests of this module and of those above it: {@link
 * io.rivulet.store.faults.FaultShim} gives orders to a library that another process has preloaded.
 */
@NullMarked
package io.rivulet.store.faults;

import org.jspecify.annotations.NullMarked;
