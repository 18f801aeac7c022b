package io.rivulet.broker.console;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.http.HttpAnswer;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.broker.http.Page;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The data of the pages, as JSON. Thread-safe. */
final class ConsoleApi {
    static final String PATH = "/api/";

    private final Map<String, Page> pages = new HashMap<>();
    /** Those that change something. */
    private final Map<String, Page> changes = new HashMap<>();

    private final History history;

    /** @param token what requests that change something must have; null if nothing can be changed */
    ConsoleApi(ConsoleParts parts, @Nullable String token) {
        Reads reads = new Reads(parts.broker().readers());
        BrokerCalls calls = new BrokerCalls(parts.routes(), reads);
        history = new History(parts);
        addBroker(parts, reads, token);
        addTopics(parts, reads, calls);
        GroupPages groups = new GroupPages(parts.broker(), calls);
        pages.put("groups", groups::list);
        pages.put("group", groups::group);
        pages.put("group-offsets", groups::offsets);
        pages.put("share-offsets", new ShareOffsetPages(parts.broker(), calls)::offsets);
        TransactionPages transactions = new TransactionPages(calls);
        pages.put("transactions", transactions::list);
        pages.put("producers", transactions::producers);
        SecurityPages security = new SecurityPages(calls);
        pages.put("users", security::users);
        pages.put("rules", security::rules);
        pages.put("quotas", security::quotas);
        GroupChanges groupChanges = new GroupChanges(calls);
        changes.put("group-offset", groupChanges::commit);
        changes.put("share-offset", groupChanges::alterShare);
        changes.put("group-delete", groupChanges::delete);
    }

    private void addBroker(ConsoleParts parts, Reads reads, @Nullable String token) {
        BrokerPages broker = new BrokerPages(parts.broker(), reads, token, parts.cluster());
        ClientPages clients = new ClientPages(parts.server(), reads);
        pages.put("broker", broker::broker);
        pages.put("settings", Rights.ofCluster(Operation.DESCRIBE_CONFIGS, broker::settings));
        pages.put(
                "storage",
                Rights.ofCluster(
                        Operation.DESCRIBE, new StoragePages(parts.broker().store(), reads)::map));
        pages.put("history", Rights.ofCluster(Operation.DESCRIBE, history::answer));
        pages.put("connections", Rights.ofCluster(Operation.DESCRIBE, clients::list));
    }

    private void addTopics(ConsoleParts parts, Reads reads, BrokerCalls calls) {
        TopicPages topics = new TopicPages(parts.broker(), reads);
        MessagePages messages = new MessagePages(parts.broker(), reads);
        pages.put("topics", topics::list);
        pages.put("topic", topics::topic);
        pages.put("partitions", topics::partitions);
        pages.put("messages", messages::page);
        pages.put("message", messages::one);
        pages.put("download", messages::download);
        pages.put("tail", messages::tail);
        TopicChanges topicChanges = new TopicChanges(parts.broker(), reads, calls);
        changes.put("topic-config", topicChanges::config);
        changes.put("produce", topicChanges::produce);
        changes.put("replay", topicChanges::replay);
    }

    void answer(String name, HttpExchange exchange) {
        Page page = (exchange.isPost() ? changes : pages).get(name);
        if (page == null) {
            boolean other = pages.containsKey(name) || changes.containsKey(name);
            throw new HttpProblem(
                    other ? HttpResponseStatus.METHOD_NOT_ALLOWED : HttpResponseStatus.NOT_FOUND,
                    other ? "not with this method" : "there is no page " + exchange.path());
        }
        page.answer(exchange);
    }

    void stop() {
        history.stop();
    }

    // ---- for all pages ----

    static HttpAnswer json(JsonWriter json) {
        return HttpAnswer.ok(HttpAnswer.JSON, json.bytes());
    }

    /** The answer to a change that has nothing to tell. */
    static HttpAnswer done() {
        return json(new JsonWriter().object().endObject());
    }

    /** @throws HttpProblem if it is not there */
    static String required(HttpExchange exchange, String name) {
        String value = exchange.parameter(name);
        if (value == null || value.isEmpty()) {
            throw HttpProblem.badRequest(name + " is missing");
        }
        return value;
    }

    static String optional(HttpExchange exchange, String name) {
        String value = exchange.parameter(name);
        return value == null ? "" : value;
    }

    static HttpProblem notFound(String what) {
        return new HttpProblem(HttpResponseStatus.NOT_FOUND, what);
    }

    static HttpProblem refused(RefusedException refusal) {
        return HttpProblem.badRequest(String.valueOf(refusal.getMessage()));
    }
}
