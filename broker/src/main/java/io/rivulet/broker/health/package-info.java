/**
 * Whether the broker lives, and whether it serves clients: the pages /livez and /readyz (0042).
 *
 * <p>In: signs of life of threads, the state of the store. Out: one line of text. On the thread of the pages.
 */
@NullMarked
package io.rivulet.broker.health;

import org.jspecify.annotations.NullMarked;
