/**
 * Rules that say which principals may do what: Kafka's access control lists, with Kafka's decisions.
 *
 * <p>Enters: questions of handlers, changes of rules. Leaves: yes or no, entries of the log.
 *
 * <p>Thread: the log writer changes the rules; any thread asks.
 */
@NullMarked
package io.rivulet.broker.acl;

import org.jspecify.annotations.NullMarked;
