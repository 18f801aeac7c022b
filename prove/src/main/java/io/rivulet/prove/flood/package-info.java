/**
 * Floods of connections and bytes against a broker process, while another client measures how long its requests take.
 *
 * <p>Enters: a seed, which chooses the {@link io.rivulet.prove.flood.Flood}. Leaves: violations, and a line with the
 * figures.
 *
 * <p>Thread: one point after the other; a flood may have a thread of its own while it lasts.
 */
@NullMarked
package io.rivulet.prove.flood;

import org.jspecify.annotations.NullMarked;
