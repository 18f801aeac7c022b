/** Replaces a class of JUnit 4. It is on the class path when the tests run on Kafka, too. */
@NullMarked
package org.junit.rules;

import org.jspecify.annotations.NullMarked;
