/** Bugs in logs on BookKeeper. In its package, because they need its ledgers. */
@NullMarked
package io.rivulet.cluster.bookkeeper;

import org.jspecify.annotations.NullMarked;
