package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rivulet.junit.Rivulet;
import io.rivulet.junit.RivuletClients;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** A message for each codec, encrypted, by a user who has logged in. */
@Rivulet(topics = "orders:3", tls = true, users = "alice:secret")
class OrdersTest {
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

    @Test
    void ordersArrive(RivuletClients clients) throws Exception {
        for (String codec : CODECS) {
            clients.with("compression.type", codec)
                    .producer()
                    .send(new ProducerRecord<>("orders", codec, codec.repeat(1000)))
                    .get();
        }
        var consumer = clients.consumer("tests", "orders");
        var arrived = new TreeSet<String>();
        while (arrived.size() < CODECS.size()) {
            consumer.poll(Duration.ofSeconds(10)).forEach(each -> {
                assertEquals(each.key().repeat(1000), each.value());
                arrived.add(each.key());
            });
        }
        assertEquals(new TreeSet<>(CODECS), arrived);
    }
}
