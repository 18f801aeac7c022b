package example;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;

/** An application that listens to orders. */
@SpringBootApplication
public class Shop {
    final BlockingQueue<String> orders = new LinkedBlockingQueue<>();

    @KafkaListener(topics = "orders", groupId = "shop")
    void hear(String order) {
        orders.add(order);
    }
}
