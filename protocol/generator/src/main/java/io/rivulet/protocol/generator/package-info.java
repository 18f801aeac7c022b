/**
 * Generates the message classes. Enters: the directory of schemas unpacked from the kafka-clients jar. Leaves: Java
 * sources in {@code io.rivulet.protocol.message}. Runs in the build, on one thread. Reasons: docs/decisions/0003.
 */
@NullMarked
package io.rivulet.protocol.generator;

import org.jspecify.annotations.NullMarked;
