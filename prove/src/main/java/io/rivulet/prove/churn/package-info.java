/**
 * Everything that clients can make is made and forgotten again and again, and the broker must not grow.
 *
 * <p>Enters: a seed. Leaves: violations, and a line with the figures. {@link io.rivulet.prove.churn.Kind} says what is
 * made, {@link io.rivulet.prove.churn.Sizes} what is measured.
 *
 * <p>Thread: one.
 */
@NullMarked
package io.rivulet.prove.churn;

import org.jspecify.annotations.NullMarked;
