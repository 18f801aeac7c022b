/**
 * Opens a store: puts the log, block files, tail and threads together and replays the log.
 *
 * <p>Enters: the configuration, the environment (disk, threads, clock), and what the owner attaches (views, gate,
 * listener). Leaves: a {@link io.rivulet.store.open.LocalStore}.
 *
 * <p>Thread: the one that opens the store. Afterwards any thread may call the store.
 */
@NullMarked
package io.rivulet.store.open;

import org.jspecify.annotations.NullMarked;
