package io.rivulet.store.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class LocalDiskTest {
    @TempDir
    Path directory;

    private Disk disk = new CrashDisk();

    @BeforeEach
    void useDirectory() {
        disk = new LocalDisk(directory);
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    private static ByteBuffer read(DiskFile file, long address, int lengthBytes) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(lengthBytes);
        file.read(address, target);
        return target.flip();
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        try (DiskFile file = disk.create("a")) {
            file.write(3, bytes(1, 2, 3));

            assertThat(read(file, 0, 6)).isEqualTo(bytes(0, 0, 0, 1, 2, 3));
        }
    }

    @Test
    void aReadPastTheCacheHasWhatWasWrittenUpToTheEndOfTheFile() throws Exception {
        for (Disk.IoMode mode : Disk.IoMode.values()) {
            try (DiskFile file = disk.create(mode.name(), mode)) {
                int unit = file.alignmentBytes();
                ByteBuffer memory = ByteBuffer.allocateDirect(4 * unit).alignedSlice(unit);
                file.write(0, memory.duplicate().put(0, (byte) 1).limit(unit));
                file.write(unit, memory.duplicate().put(0, (byte) 2).limit(unit));
                ByteBuffer target = memory.clear().position(unit).limit(3 * unit);

                assertThat(file.readPast(unit, target)).isEqualTo(unit);
                assertThat(target.get(unit)).isEqualTo((byte) 2);
                assertThat(file.readPast(2L * unit, target)).isZero();
                assertThat(read(file, 0, 1)).isEqualTo(bytes(1));
            }
        }
    }

    @Test
    void aGatheringWriteWritesAllBuffersInOrder() throws Exception {
        try (DiskFile file = disk.create("a")) {
            file.write(1, new ByteBuffer[] {bytes(1, 2), bytes(), bytes(3)});

            assertThat(read(file, 0, 9)).isEqualTo(bytes(0, 1, 2, 3));
        }
    }

    @Test
    void cachedAndDirectWritesStandSideBySide() throws Exception {
        try (DiskFile file = createDirect("a")) {
            int page = 4096;
            for (int round = 1; round <= 3; round++) {
                for (int i = 0; i < 8; i++) {
                    ByteBuffer source = ByteBuffer.allocateDirect(2 * page)
                            .alignedSlice(page)
                            .limit(page);
                    for (int at = 0; at < page; at++) {
                        source.put(at, (byte) (round * 10 + i));
                    }
                    if ((round + i) % 2 == 0) {
                        file.write((long) i * page, source);
                    } else {
                        file.writeCached((long) i * page, source);
                    }
                }
                file.force();
                for (int i = 0; i < 8; i++) {
                    int expected = round * 10 + i;
                    assertThat(read(file, (long) i * page + page - 1, 1)).isEqualTo(bytes(expected));
                }
            }
            assertThat(file.sizeBytes()).isEqualTo(8L * page);
        }
    }

    /** Falls back to buffered I/O if the file system does not support direct I/O. */
    private DiskFile createDirect(String name) throws IOException {
        try {
            return disk.create(name, Disk.IoMode.DIRECT);
        } catch (DirectIoRefusedException e) {
            return disk.create(name);
        }
    }

    @Test
    void aReadEndsWhereTheFileEnds() throws Exception {
        try (DiskFile file = disk.create("a")) {
            file.write(0, bytes(1, 2, 3));

            assertThat(file.read(1, ByteBuffer.allocate(10))).isEqualTo(2);
            assertThat(file.read(5, ByteBuffer.allocate(10))).isZero();
        }
    }

    @Test
    void aFileGrowsAndIsCutOffOnDemand() throws Exception {
        try (DiskFile file = disk.create("a")) {
            file.extend(1000);
            file.extend(10);
            assertThat(file.sizeBytes()).isEqualTo(1000);
            file.truncate(5);
            file.truncate(50);
            assertThat(file.sizeBytes()).isEqualTo(5);
        }
    }

    @Test
    void createWantsANewNameAndOpenAnOldOne() throws Exception {
        disk.create("a").close();

        assertThatThrownBy(() -> disk.create("a")).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> disk.open("b")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void namesAreListedSortedRenamedAndDeleted() throws Exception {
        disk.create("c").close();
        disk.create("a").close();
        disk.create("b").close();
        disk.rename("c", "a");
        disk.delete("b");
        disk.directory("below");
        disk.syncDirectory();

        assertThat(disk.list()).containsExactly("a");
        assertThat(disk.exists("a")).isTrue();
        assertThat(disk.exists("b")).isFalse();
    }

    @Test
    void aDirectoryBelowHasItsOwnNames() throws Exception {
        disk.directory("below").create("a").close();

        assertThat(disk.directory("below").list()).containsExactly("a");
        assertThat(disk.list()).isEmpty();
    }

    @Test
    void aDirectoryHasOneOwner() throws Exception {
        try (Closeable first = disk.lock()) {
            assertThat(first).isNotNull();
            assertThatThrownBy(() -> new LocalDisk(directory).lock()).hasMessageContaining("in use");
        }
        disk.lock().close();
    }

    @Test
    void aFileThatWasRemovedOrReplacedUnderItsUserIsNotFoundByItsName() throws Exception {
        try (DiskFile file = disk.create("file")) {
            file.checkName();
            Path path = directory.resolve("file");
            Files.move(path, directory.resolve("elsewhere"));
            assertThatThrownBy(file::checkName).isInstanceOf(IOException.class).hasMessageContaining("was removed");

            Files.createFile(path);
            assertThatThrownBy(file::checkName).isInstanceOf(IOException.class).hasMessageContaining("or replaced");

            Files.move(directory.resolve("elsewhere"), path, StandardCopyOption.REPLACE_EXISTING);
            file.checkName();
        }
    }

    @Test
    void anOwnerDetectsThatItsLockOrDirectoryWasReplaced() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        try (DirectoryLock lock = new LocalDisk(data).lock()) {
            lock.check();
            Path elsewhere = directory.resolve("elsewhere");
            Files.move(data, elsewhere);
            assertThatThrownBy(lock::check).isInstanceOf(IOException.class).hasMessageContaining("removed or replaced");

            Files.move(elsewhere, data);
            lock.check();
            Files.delete(data.resolve("lock"));
            assertThatThrownBy(lock::check).isInstanceOf(IOException.class);

            Files.createFile(data.resolve("lock"));
            assertThatThrownBy(lock::check).isInstanceOf(IOException.class);
        }
    }

    /** The operating system drops all locks of a process on a file when the process closes the file once. */
    @Test
    void aRefusedLockInThisProcessDoesNotUnlockTheDirectory() throws Exception {
        try (DirectoryLock lock = disk.lock()) {
            assertThatThrownBy(() -> new LocalDisk(directory).lock()).hasMessageContaining("in use");
            assertThatThrownBy(() -> new ReadOnlyDisk(directory).lock()).hasMessageContaining("in use");

            assertThat(lockInAnotherProcess()).isEqualTo(1);
            lock.check();
        }
        assertThat(lockInAnotherProcess()).isZero();
    }

    /** Returns the exit code of {@link LockProbe}. */
    private int lockInAnotherProcess() throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockProbe.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** Exits with 0 if it could lock the directory, and with 1 if it was refused. */
    static final class LockProbe {
        private LockProbe() {}

        public static void main(String[] args) throws IOException {
            new LocalDisk(Path.of(args[0])).lock().close();
        }
    }

    @Test
    void aNamedPipeIsNotWaitedFor() throws Exception {
        Process process = new ProcessBuilder("mkfifo", directory.resolve("a").toString()).start();
        assertThat(process.waitFor()).isZero();

        assertThatThrownBy(() -> disk.open("a")).isInstanceOf(IOException.class).hasMessageContaining("neither a file");
        assertThatThrownBy(() -> new ReadOnlyDisk(directory).open("a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("neither a file");
    }

    @Test
    void anInterruptedReaderReadsAndStaysInterrupted() throws Exception {
        try (DiskFile file = disk.create("a")) {
            file.write(0, bytes(1, 2, 3));
            Thread.currentThread().interrupt();

            assertThat(read(file, 0, 3)).isEqualTo(bytes(1, 2, 3));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read(file, 0, 3)).isEqualTo(bytes(1, 2, 3));
        }
    }

    @Test
    void anInterruptedWriterWritesAndStaysInterrupted() throws Exception {
        try (DiskFile file = disk.create("a")) {
            Thread.currentThread().interrupt();
            file.write(0, bytes(1));
            file.force();
            file.write(1, bytes(2));
            disk.syncDirectory();

            assertThat(file.sizeBytes()).isEqualTo(2);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void interruptsOfReadersNeverHarmOtherReadersOrTheWriter() throws Exception {
        try (DiskFile file = disk.create("a")) {
            file.write(0, ByteBuffer.allocate(1 << 20));
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread[] readers = new Thread[2];
            for (int i = 0; i < readers.length; i++) {
                readers[i] = new Thread(() -> readAgainAndAgain(file, failure));
                readers[i].start();
            }
            for (int i = 0; i < 500; i++) {
                readers[i % 2].interrupt();
                file.write(i, bytes(7));
            }
            for (Thread reader : readers) {
                reader.join();
            }
            file.force();

            assertThat(failure.get()).isNull();
        }
    }

    private static void readAgainAndAgain(DiskFile file, AtomicReference<Throwable> failure) {
        try {
            for (int i = 0; i < 300; i++) {
                ByteBuffer target = ByteBuffer.allocate(1 << 16);
                assertThat(file.read(0, target)).isEqualTo(1 << 16);
            }
        } catch (IOException | AssertionError e) {
            failure.set(e);
        }
    }

    @Test
    void aClosedFileIsNotRead() throws Exception {
        DiskFile file = disk.create("a");
        file.close();

        assertThatThrownBy(() -> read(file, 0, 1)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void thereIsSpaceLeft() throws Exception {
        assertThat(disk.usableBytes()).isPositive();
    }
}
