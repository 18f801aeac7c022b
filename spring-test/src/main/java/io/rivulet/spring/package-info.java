/**
 * A broker in the context of a test with Spring, in place of spring-kafka's embedded Kafka: the annotation {@link
 * io.rivulet.spring.EmbeddedRivulet}, or a bean of the type {@link io.rivulet.junit.RivuletBroker}. Spring calls
 * everything here, on the thread of the test.
 */
@NullMarked
package io.rivulet.spring;

import org.jspecify.annotations.NullMarked;
