/**
 * Configuration by Kafka's own names. Enters: a properties file and overrides. Leaves: one immutable {@link
 * io.rivulet.broker.config.BrokerConfig}, concluded once, or a {@link io.rivulet.broker.config.ConfigException} that names the key,
 * the value and what is allowed.
 *
 * <p>Immutable; any thread.
 */
@NullMarked
package io.rivulet.broker.config;

import org.jspecify.annotations.NullMarked;
