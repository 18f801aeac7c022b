/**
 * Replaces classes of Kafka's test framework. They have Kafka's names, and start Rivulet.
 */
@NullMarked
package org.apache.kafka.common.test;

import org.jspecify.annotations.NullMarked;
