/**
 * How much a client may use: rules for users, client ids and addresses, and the meters of those that a rule limits.
 *
 * <p>Enters: rules from the log; what calls use. Leaves: how long a client must wait. Without a rule, a call costs one
 * volatile read. Threads: the log writer changes rules, any thread asks.
 */
@NullMarked
package io.rivulet.broker.quota;

import org.jspecify.annotations.NullMarked;
