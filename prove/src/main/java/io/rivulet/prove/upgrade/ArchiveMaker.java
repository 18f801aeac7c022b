package io.rivulet.prove.upgrade;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.prove.Runner;
import io.rivulet.prove.churn.GroupChurn;
import io.rivulet.prove.damage.Picture;
import io.rivulet.prove.damage.PictureReader;
import io.rivulet.prove.damage.SampleLoad;
import io.rivulet.prove.damage.SmallBroker;
import io.rivulet.prove.damage.Tree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Makes an archive of the broker on the class path: it was stopped, started again, and copied while it ran, as after a
 * kill. Stateless.
 */
public final class ArchiveMaker {
    static final long SEGMENT_BYTES = 256 << 10;

    private static final int STAGES = 2;

    private ArchiveMaker() {}

    /** For an earlier version, with its classes before those of this module. */
    public static void main(String[] args) throws Exception {
        make(Path.of(args[0]));
    }

    /** @param archive the file, which is created or replaced */
    public static void make(Path archive) throws Exception {
        Path scratch = Files.createTempDirectory("rivulet-archive");
        try {
            Path live = Files.createDirectory(scratch.resolve("live"));
            Path killed = scratch.resolve("killed");
            long millis = System.currentTimeMillis();
            for (int stage = 0; stage < STAGES; stage++) {
                try (SmallBroker broker = SmallBroker.start(live, SEGMENT_BYTES);
                        SampleLoad load = new SampleLoad(broker.servers(), stage, true)) {
                    load.run();
                    groups(broker.servers(), stage);
                    if (stage == STAGES - 1) {
                        load.awaitRest(live);
                        millis = System.currentTimeMillis();
                        Tree.copy(live, killed);
                    }
                }
            }
            new Archive(millis, truth(killed, scratch.resolve("opened"))).write(killed, archive);
        } finally {
            Runner.delete(scratch);
        }
    }

    private static void groups(String servers, int stage) throws Exception {
        if (stage == 0) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
                admin.createTopics(List.of(new NewTopic(GroupChurn.TOPIC, 1, (short) 1)))
                        .all()
                        .get();
            }
        }
        try (BrokerConnection broker = BrokerConnection.to(servers, ClientSettings.PLAIN)) {
            GroupChurn.make(broker, List.of("first-" + stage, "second-" + stage));
        }
    }

    /** What the broker that wrote it says after a start. */
    private static Picture truth(Path directory, Path scratch) throws Exception {
        Tree.copy(directory, scratch);
        try (SmallBroker broker = SmallBroker.start(scratch, SEGMENT_BYTES)) {
            return PictureReader.read(broker.servers(), null);
        }
    }
}
