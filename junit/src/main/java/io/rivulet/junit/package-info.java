/**
 * A broker for tests with JUnit 5 and 6: the annotation {@link io.rivulet.junit.Rivulet} and what tests can ask for as
 * parameters. Why it is built this way: docs/decisions/0050-tests-with-junit.md
 */
@NullMarked
package io.rivulet.junit;

import org.jspecify.annotations.NullMarked;
