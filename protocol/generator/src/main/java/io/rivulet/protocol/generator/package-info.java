/**
 * Writes the message classes. In: the directory of schemas unpacked from the kafka-clients jar. Out: Java
 * sources in {@code io.rivulet.protocol.message}. Runs in the build, on one thread; docs/decisions/0003 has
 * the reasons.
 */
@NullMarked
package io.rivulet.protocol.generator;

import org.jspecify.annotations.NullMarked;
