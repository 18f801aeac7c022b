package io.rivulet.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Manifests of this version and of older versions can be read. */
final class ManifestTest {
    private static final Manifest MANIFEST =
            new Manifest(1000, new Manifest.Time(5000, 700), 64, 3, 9, 8, List.of(4L, 7L), Map.of(3, 60L));

    @Test
    void itIsReadAsItWasWritten() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ManifestStore.write(MANIFEST, Channels.newChannel(bytes));

        assertThat(read(bytes.toByteArray())).isEqualTo(MANIFEST);
    }

    @Test
    void formatOneKnowsOnlyWhenTheStoreWasCreated() throws IOException {
        ByteBuffer old = ByteBuffer.allocate(84)
                .putInt(1)
                .putLong(1000)
                .putLong(64)
                .putLong(3)
                .putLong(9)
                .putLong(8)
                .putInt(2)
                .putLong(4)
                .putLong(7)
                .putInt(1)
                .putInt(3)
                .putLong(60);

        Manifest manifest = read(old.array());

        assertThat(manifest.time()).isEqualTo(new Manifest.Time(1000, 0));
        assertThat(manifest.withCheckpoint(MANIFEST.time(), 64, 8, Map.of(3, 60L)))
                .isEqualTo(MANIFEST.withCheckpoint(MANIFEST.time(), 64, 8, Map.of(3, 60L)));
    }

    private static Manifest read(byte[] bytes) throws IOException {
        return ManifestStore.read(Channels.newChannel(new ByteArrayInputStream(bytes)));
    }
}
