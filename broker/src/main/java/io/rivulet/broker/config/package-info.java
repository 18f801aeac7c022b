/**
 * Configuration, with Kafka's names. Enters: properties. Leaves: one immutable {@link
 * io.rivulet.broker.config.BrokerConfig}, or a {@link io.rivulet.broker.config.ConfigException} that has the key, the
 * value and what is allowed; and the reference of all keys, {@link io.rivulet.broker.config.ConfigReference}.
 *
 * <p>A new key is a constant in {@link io.rivulet.broker.config.BrokerKey} and a help text in {@code reference.md}.
 *
 * <p>Immutable; any thread.
 */
@NullMarked
package io.rivulet.broker.config;

import org.jspecify.annotations.NullMarked;
