package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rivulet.junit.RivuletBroker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaTemplate;

/** A broker as a bean, as one would write it for a container; encrypted, with a login. */
@SpringBootTest
class BeanTest {
    @TestConfiguration
    static class Broker {
        @Bean
        RivuletBroker broker() {
            return RivuletBroker.inMemoryOrTemp()
                    .withTls()
                    .withUser("shop", "secret")
                    .topic("orders", 1)
                    .start();
        }
    }

    @Test
    void anOrderIsHeard(@Autowired KafkaTemplate<String, String> template, @Autowired Shop shop) throws Exception {
        template.send("orders", "coffee").get(1, TimeUnit.MINUTES);

        assertEquals("coffee", shop.orders.poll(1, TimeUnit.MINUTES));
    }
}
