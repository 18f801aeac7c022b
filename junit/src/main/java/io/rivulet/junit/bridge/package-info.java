/**
 * The side of the broker: the only classes here that see it. They are loaded with its libraries, apart from the rest of
 * this module ({@link io.rivulet.junit.Libraries}). Calls come from threads of tests.
 */
@NullMarked
package io.rivulet.junit.bridge;

import org.jspecify.annotations.NullMarked;
