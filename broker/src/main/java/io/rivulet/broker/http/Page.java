package io.rivulet.broker.http;

/**
 * Answers the requests for one path. Thread-safe. Pages of a broker are made when it starts, so what they need belongs
 * into classes that load with the first request.
 */
@FunctionalInterface
public interface Page {
    /**
     * Answers the request, at once or later, exactly once. Must not block: the calling thread serves all connections.
     *
     * @throws HttpProblem if there is no other answer
     */
    void answer(HttpExchange exchange);
}
