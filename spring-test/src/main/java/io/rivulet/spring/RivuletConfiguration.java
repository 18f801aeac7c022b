package io.rivulet.spring;

import io.rivulet.junit.RivuletBroker;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.DynamicPropertyRegistrar;

/**
 * Spring Boot's properties for Kafka say how to connect to a broker that is a bean, as a service connection does for a
 * container. Spring Boot finds this class by itself; without Spring Boot, import it.
 */
@Configuration(proxyBeanMethods = false)
public class RivuletConfiguration {
    @Bean
    DynamicPropertyRegistrar rivuletProperties(ObjectProvider<RivuletBroker> brokers) {
        return registry -> brokers.ifUnique(
                broker -> BrokerProperties.of(broker).forEach((key, value) -> registry.add(key, () -> value)));
    }
}
