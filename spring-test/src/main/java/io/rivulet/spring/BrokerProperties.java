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
            properties.put("spring.kafka." + client + "bootstrap-servers", broker.bootstrapServers());
            properties.put("spring.kafka." + client + "security.protocol", settings.get("security.protocol"));
        }
        settings.forEach((key, value) -> {
            if (key.startsWith("ssl.") || key.startsWith("sasl.")) {
                properties.put("spring.kafka.properties." + key, value);
            }
        });
        return properties;
    }
}
