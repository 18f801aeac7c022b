package io.rivulet.broker.console;

import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.net.BrokerServer;
import io.rivulet.broker.net.ConnectedClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Open connections, and how many there are of each version of a client. Thread-safe. */
record ClientPages(BrokerServer server, Reads reads) {
    private static final int MOST_ROWS = 200;
    private static final int MOST_VERSIONS = 1000;
    private static final int VERSION_ROWS = 20;

    void list(HttpExchange exchange) {
        String part = ConsoleApi.optional(exchange, "search").toLowerCase(Locale.ROOT);
        reads.answer(exchange, reader -> {
            Found found = new Found(part);
            server.clients(found::visit);
            return ConsoleApi.json(found.json());
        });
    }

    /** Owned by: the read thread, for one request. */
    private static final class Found {
        private final String part;
        private final List<ConnectedClient> rows = new ArrayList<>();
        private final Map<String, Integer> versions = new HashMap<>();
        private int all;
        private int count;

        Found(String part) {
            this.part = part;
        }

        void visit(ConnectedClient client) {
            all++;
            String library = (client.software() + " " + client.version()).strip();
            if (versions.size() < MOST_VERSIONS || versions.containsKey(library)) {
                versions.merge(library, 1, Integer::sum);
            }
            String text = client.id() + " " + library + " " + client.address() + " " + client.listener() + " "
                    + client.user();
            if (text.toLowerCase(Locale.ROOT).contains(part)) {
                count++;
                if (rows.size() < MOST_ROWS) {
                    rows.add(client);
                }
            }
        }

        JsonWriter json() {
            JsonWriter json = new JsonWriter()
                    .object()
                    .field("all", all)
                    .field("count", count)
                    .key("rows")
                    .array();
            rows.stream()
                    .sorted(Comparator.comparing(ConnectedClient::id).thenComparing(ConnectedClient::address))
                    .forEach(client -> json.object()
                            .field("id", client.id())
                            .field("user", client.user())
                            .field("software", client.software())
                            .field("version", client.version())
                            .field("address", client.address())
                            .field("listener", client.listener())
                            .field("idleMillis", client.idleMillis())
                            .endObject());
            json.endArray().key("versions").array();
            versions.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                    .limit(VERSION_ROWS)
                    .forEach(entry -> json.object()
                            .field("version", entry.getKey())
                            .field("count", entry.getValue())
                            .endObject());
            return json.endArray().endObject();
        }
    }
}
