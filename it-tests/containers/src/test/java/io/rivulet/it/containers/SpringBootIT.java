package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.testcontainers.kafka.KafkaContainer;

/** Spring Boot finds the broker in the container, and its listeners receive what its templates send. */
final class SpringBootIT {
    @BeforeAll
    static void image() {
        Image.require();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        @Bean
        @ServiceConnection
        KafkaContainer kafka() {
            return new KafkaContainer(Image.as("apache/kafka"));
        }

        @KafkaListener(topics = "greetings", groupId = "listeners")
        void hear(String greeting) {
            heard.add(greeting);
        }
    }

    @Test
    void aListenerReceivesWhatATemplateSends() throws Exception {
        SpringApplication application = new SpringApplication(Application.class);
        try (ConfigurableApplicationContext context = application.run(
                "--spring.kafka.consumer.auto-offset-reset=earliest", "--spring.main.banner-mode=off")) {
            @SuppressWarnings("unchecked") // Spring Boot's bean has all types
            KafkaTemplate<Object, Object> template = context.getBean(KafkaTemplate.class);

            template.send("greetings", "hello").get(1, TimeUnit.MINUTES);

            assertThat(List.of(context.getBean(Application.class).heard.poll(1, TimeUnit.MINUTES)))
                    .containsExactly("hello");
        }
    }
}
