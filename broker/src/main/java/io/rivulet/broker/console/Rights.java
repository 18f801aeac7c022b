package io.rivulet.broker.console;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.broker.http.Page;
import io.rivulet.broker.topic.Topic;

/** What the user who asks may see of what the console reads by itself. APIs check what they show. Stateless. */
final class Rights {
    private Rights() {}

    /** The page, for users who may do this with the cluster. */
    static Page ofCluster(Operation operation, Page page) {
        return exchange -> {
            if (!exchange.access().mayCluster(operation)) {
                throw refused(exchange.access(), operation, "the cluster");
            }
            page.answer(exchange);
        };
    }

    static boolean sees(Access access, Operation operation) {
        return access.sees(operation, ResourceType.CLUSTER, Access.CLUSTER_NAME);
    }

    /** @throws HttpProblem if there is no such topic, or none that the user may know of */
    static Topic topic(HttpExchange exchange, ApiParts parts, String name) {
        Topic topic = exchange.access().mayTopic(Operation.DESCRIBE, name)
                ? parts.topics().find(name)
                : null;
        if (topic == null) {
            throw ConsoleApi.notFound("there is no topic '" + name + "'");
        }
        return topic;
    }

    /** The same topic, for its records. */
    static Topic records(HttpExchange exchange, ApiParts parts, String name) {
        Topic topic = topic(exchange, parts, name);
        if (!exchange.access().mayTopic(Operation.READ, name)) {
            throw refused(exchange.access(), Operation.READ, "topic '" + name + "'");
        }
        return topic;
    }

    private static HttpProblem refused(Access access, Operation operation, String what) {
        return new HttpProblem(
                HttpResponseStatus.FORBIDDEN, access.principal() + " has no right " + operation + " of " + what);
    }
}
