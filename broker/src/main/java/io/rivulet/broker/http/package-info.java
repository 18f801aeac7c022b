/**
 * Pages over HTTP for operators: sockets, limits, and the way from a request to its page. What a page says belongs to
 * other rooms (0042).
 *
 * <p>In: bytes of HTTP/1.1. Out: answers of pages, and streams of events. All on one thread, http-1, which starts with
 * the first connection. A page may answer on any thread.
 */
@NullMarked
package io.rivulet.broker.http;

import org.jspecify.annotations.NullMarked;
