/**
 * What a log in a cluster needs of other machines: ledgers, and small records that are replaced by compare and swap.
 *
 * <p>In: entries of a log. Out: answers in order, and entries. Threads: an engine has its own, which call {@link
 * io.rivulet.cluster.engine.Answer}.
 */
@NullMarked
package io.rivulet.cluster.engine;

import org.jspecify.annotations.NullMarked;
