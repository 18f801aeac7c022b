/** An engine in memory: bookies, ledgers, fencing and records, with every message delivered when a test wants it. */
@NullMarked
package io.rivulet.cluster.fake;

import org.jspecify.annotations.NullMarked;
