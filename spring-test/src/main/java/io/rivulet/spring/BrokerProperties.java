package io.rivulet.spring;

import io.rivulet.junit.RivuletBroker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What Spring Boot's properties say about a broker. */
final class BrokerProperties {
    /** An application may have set these one by one, which then has precedence. */
    private static final List<String> CLIENTS = List.of("", "consumer.", "producer.", "admin.", "streams.");

    private BrokerProperties() {}

    static Map<String, Object> of(RivuletBroker broker) {
        Map<String, Object> properties = new LinkedHashMap<>();
        Map<String, Object> settings = broker.clientSettings();
        for (String client : CLIENTS) {
            String prefix = "spring.kafka." + client;
            properties.put(prefix + "bootstrap-servers", broker.bootstrapServers());
            properties.put(prefix + "security.protocol", settings.get("security.protocol"));
            // Spring Boot gives these precedence over the two above, so an application's own must be replaced, too.
            settings.forEach((key, value) -> properties.put(prefix + "properties." + key, value));
        }
        return properties;
    }
}
