package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.netty.buffer.ByteBuf;
import io.rivulet.junit.RivuletBroker;
import io.rivulet.spring.EmbeddedRivulet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.kafka.core.KafkaTemplate;

@SpringBootTest
@EmbeddedRivulet(topics = "orders:3")
class ShopTest {
    @Autowired
    KafkaTemplate<String, String> template;

    @Autowired
    Shop shop;

    @Test
    void anOrderIsHeard() throws Exception {
        template.send("orders", "tea").get(1, TimeUnit.MINUTES);

        assertEquals("tea", shop.orders.poll(1, TimeUnit.MINUTES));
    }

    /** The application has a Netty of its own, which Rivulet does not see. */
    @Test
    void theLibrariesOfTheApplicationAreItsOwn(@Autowired RivuletBroker broker) throws Exception {
        ClassLoader rivulet = broker.getClass().getClassLoader();

        assertNotEquals(
                ByteBuf.class.getProtectionDomain().getCodeSource().getLocation(),
                rivulet.loadClass(ByteBuf.class.getName()).getProtectionDomain().getCodeSource().getLocation());
    }
}
