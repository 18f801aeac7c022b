/**
 * Replaces the class behind Kafka's annotations {@code ClusterTest} and {@code ClusterTemplate}.
 */
@NullMarked
package org.apache.kafka.common.test.junit;

import org.jspecify.annotations.NullMarked;
