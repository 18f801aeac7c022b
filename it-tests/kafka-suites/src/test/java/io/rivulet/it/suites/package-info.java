/**
 * Which of Kafka's tests run, and what became of them. {@code suites.txt} names every test class of the jars: it is
 * run, or it is left out for a reason.
 */
@NullMarked
package io.rivulet.it.suites;

import org.jspecify.annotations.NullMarked;
