package io.rivulet.bench.versus;

import io.netty.buffer.ByteBuf;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.FetchLoad;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import io.rivulet.protocol.message.ApiKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.ArrayList;
import java.util.List;

/** Many connections, each with a fetch that waits for messages. No message is produced. Immutable. */
final class IdleConsumersCase extends Case {
    private static final String TOPIC = "idle";
    private static final int CONSUMERS = 10_000;
    private static final int MAX_WAIT_MILLIS = 60_000;

    IdleConsumersCase() {
        super("idle-consumers", "%,d idle consumers, each in a long poll".formatted(CONSUMERS), BOTH);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        List<ByteChannel> consumers = new ArrayList<>();
        try (RunningBroker broker = lab.start(subject);
                Running nothing = new Running(broker)) {
            Topics.create(broker, TOPIC, 1);
            nothing.watch(1); // Kafka's partition is ready some time after its creation
            ByteBuf frame =
                    Wire.frame(ApiKey.FETCH, FetchLoad.VERSION, FetchLoad.request(TOPIC, 0, 0, MAX_WAIT_MILLIS));
            for (int i = 0; i < CONSUMERS; i++) {
                ByteChannel consumer = broker.connect();
                consumers.add(consumer);
                ByteBuffer bytes = frame.nioBuffer();
                while (bytes.hasRemaining()) {
                    consumer.write(bytes);
                }
            }
            frame.release();
            nothing.watch(pace.warmUpSeconds());
            Meter meter = new Meter(broker);
            nothing.watch(pace.measuredSeconds());
            return new Figures()
                    .with(Metric.BROKER_CPU_PERCENT, 100 * meter.cpuSeconds() / pace.measuredSeconds())
                    .with(Metric.RSS_MIB, broker.residentMib());
        } finally {
            for (ByteChannel consumer : consumers) {
                consumer.close();
            }
        }
    }
}
