/**
 * Who a client is, and what it may do. Handlers ask {@link io.rivulet.broker.access.Access} before they act.
 *
 * <p>Enters: questions of handlers, about one operation on one resource. Leaves: yes or no. Threads: any.
 */
@NullMarked
package io.rivulet.broker.access;

import org.jspecify.annotations.NullMarked;
