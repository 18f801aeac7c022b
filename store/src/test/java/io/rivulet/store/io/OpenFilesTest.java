package io.rivulet.store.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OpenFilesTest {
    private static final int MAX = 4;

    @TempDir
    private Path directory;

    private final OpenFiles open = new OpenFiles(MAX);

    @Test
    void filesThatAreReadStayOpenOnlyInPart() throws Exception {
        List<DiskFile> files = files(20);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < files.size(); i++) {
                assertThat(read(files.get(i))).isEqualTo(i);
                assertThat(open.count()).isLessThanOrEqualTo(MAX);
            }
        }
    }

    @Test
    void aFileThatIsBeingReadIsNotClosed() throws Exception {
        List<DiskFile> files = files(20);
        OpenFiles.Reader busy = open.reader(directory.resolve("0"));
        var channel = busy.acquire();
        for (DiskFile file : files) {
            read(file);
        }
        assertThat(channel.isOpen()).isTrue();
        busy.release();
        for (DiskFile file : files) {
            read(file);
        }
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void moreAreOpenWhileMoreAreReadAtTheSameMoment() throws Exception {
        files(2 * MAX);
        List<OpenFiles.Reader> readers = new ArrayList<>();
        for (int i = 0; i < 2 * MAX; i++) {
            readers.add(open.reader(directory.resolve(String.valueOf(i))));
            assertThat(readers.get(i).acquire().isOpen()).isTrue();
        }
        assertThat(open.count()).isEqualTo(2 * MAX);
        readers.forEach(OpenFiles.Reader::release);
        read(new LocalDisk(directory, open).open("0"));

        assertThat(open.count()).isLessThanOrEqualTo(MAX);
    }

    @Test
    void aClosedFileIsNotOpenedAgain() throws Exception {
        DiskFile file = files(1).get(0);
        read(file);
        file.close();

        assertThat(open.count()).isZero();
        assertThatThrownBy(() -> read(file)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void manyThreadsReadFarMoreFilesThanMayBeOpen() throws Exception {
        List<DiskFile> files = files(40);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int seed = i;
            readers.add(new Thread(() -> readAtRandom(files, seed, failure)));
        }
        readers.forEach(Thread::start);
        for (int i = 0; i < 300; i++) {
            readers.get(i % 3).interrupt(); // closes a channel under others
        }
        for (Thread reader : readers) {
            reader.join();
        }

        assertThat(failure.get()).isNull();
        assertThat(open.count()).isLessThanOrEqualTo(MAX + readers.size());
    }

    private static void readAtRandom(List<DiskFile> files, int seed, AtomicReference<Throwable> failure) {
        SplittableRandom random = new SplittableRandom(seed);
        try {
            for (int i = 0; i < 3000; i++) {
                int number = random.nextInt(files.size());
                assertThat(read(files.get(number))).isEqualTo(number);
            }
        } catch (IOException | AssertionError e) {
            failure.set(e);
        }
    }

    /** Files that contain their number and are not written any more. */
    private List<DiskFile> files(int count) throws IOException {
        LocalDisk disk = new LocalDisk(directory, open);
        List<DiskFile> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DiskFile file = disk.create(String.valueOf(i));
            file.write(0, ByteBuffer.allocate(4).putInt(0, i));
            file.stopWriting();
            files.add(file);
        }
        return files;
    }

    private static int read(DiskFile file) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(4);
        assertThat(file.read(0, target)).isEqualTo(4);
        return target.getInt(0);
    }
}
