package io.rivulet.store.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.io.FaultyDisk.Cause;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.ShortageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the store expects of a failing disk. It is the same for the simulated disk and for the real one, so that tests
 * with the one are valid for the other.
 */
final class DiskContract {
    /** Adds faults to a disk. */
    interface Faults {
        void fail(Op op, Cause cause) throws IOException;

        void heal() throws IOException;
    }

    @FunctionalInterface
    interface Body {
        void check(Disk disk, Faults faults) throws Exception;
    }

    /** One clause of the contract. Each is checked on its own disk, which is empty and has no faults. */
    record Clause(String name, Body body) {}

    @FunctionalInterface
    private interface Call {
        void run() throws IOException;
    }

    /** A failed force loses data, and a failed read is not a shortage. */
    private static final Set<Op> FINAL = EnumSet.of(Op.FORCE, Op.SYNC_DIRECTORY, Op.READ);

    private DiskContract() {}

    static List<Clause> clauses() {
        List<Clause> clauses = new ArrayList<>();
        for (Op op : Op.values()) {
            for (Cause cause : Cause.values()) {
                clauses.add(new Clause(
                        op + " with " + cause + (kind(op, cause) == null ? " is final" : " is a shortage"),
                        (disk, faults) -> failsAndSucceedsAgain(disk, faults, op, cause)));
            }
        }
        clauses.add(new Clause("without a descriptor a durable rename changes nothing", DiskContract::durableRename));
        clauses.add(new Clause("without a descriptor a directory is not synced", DiskContract::syncDirectory));
        clauses.add(new Clause("writing again after stopWriting needs a descriptor", DiskContract::writeAgain));
        clauses.add(new Clause("the first read of a file needs a descriptor", DiskContract::firstRead));
        clauses.add(new Clause("a file can be read after stopWriting", DiskContract::readAfterStop));
        return clauses;
    }

    private static @Nullable Kind kind(Op op, Cause cause) {
        if (FINAL.contains(op)) {
            return null;
        }
        return switch (cause) {
            case NO_SPACE -> Kind.SPACE;
            case NO_QUOTA -> Kind.QUOTA;
            case NO_DESCRIPTORS -> Kind.DESCRIPTORS;
            case READ_ONLY, BROKEN -> null;
        };
    }

    private static void failsAndSucceedsAgain(Disk disk, Faults faults, Op op, Cause cause) throws IOException {
        try (DiskFile file = disk.create("there")) {
            file.write(0, bytes());
            read(file);
            List<String> before = disk.list();
            Call call = call(op, disk, file);
            faults.fail(op, cause);

            assertFails(call, kind(op, cause));

            faults.heal();
            assertThat(disk.list()).isEqualTo(before);
            assertThat(file.sizeBytes()).isEqualTo(3);
            call.run();
        }
    }

    private static Call call(Op op, Disk disk, DiskFile file) {
        return switch (op) {
            case CREATE -> () -> disk.create("new").close();
            case OPEN -> () -> disk.open("there").close();
            case RENAME -> () -> disk.rename("there", "elsewhere");
            case DELETE -> () -> disk.delete("there");
            case LIST -> disk::list;
            case SYNC_DIRECTORY -> disk::syncDirectory;
            case WRITE -> () -> file.write(0, bytes());
            case READ -> () -> read(file);
            case FORCE -> file::force;
            case TRUNCATE -> () -> file.truncate(1);
            case EXTEND -> () -> file.extend(10);
        };
    }

    private static void durableRename(Disk disk, Faults faults) throws IOException {
        disk.create("old").close();
        disk.create("new").close();
        faults.fail(Op.OPEN, Cause.NO_DESCRIPTORS);

        assertFails(() -> disk.renameDurably("new", "old"), Kind.DESCRIPTORS);
        assertThat(disk.exists("new")).isTrue();

        faults.heal();
        disk.renameDurably("new", "old");
        assertThat(disk.list()).containsExactly("old");
    }

    private static void syncDirectory(Disk disk, Faults faults) throws IOException {
        faults.fail(Op.OPEN, Cause.NO_DESCRIPTORS);
        assertFails(disk::syncDirectory, Kind.DESCRIPTORS);

        faults.heal();
        disk.syncDirectory();
    }

    private static void writeAgain(Disk disk, Faults faults) throws IOException {
        try (DiskFile file = disk.create("there")) {
            file.write(0, bytes());
            file.stopWriting();
            faults.fail(Op.OPEN, Cause.NO_DESCRIPTORS);

            assertFails(() -> file.write(3, bytes()), Kind.DESCRIPTORS);
            assertFails(file::force, Kind.DESCRIPTORS);

            faults.heal();
            file.write(3, bytes());
            file.force();
            assertThat(file.sizeBytes()).isEqualTo(6);
        }
    }

    private static void firstRead(Disk disk, Faults faults) throws IOException {
        try (DiskFile file = disk.create("there")) {
            file.write(0, bytes());
            faults.fail(Op.OPEN, Cause.NO_DESCRIPTORS);

            assertFails(() -> read(file), Kind.DESCRIPTORS);

            faults.heal();
            read(file);
        }
    }

    private static void readAfterStop(Disk disk, Faults faults) throws IOException {
        try (DiskFile file = disk.create("there")) {
            file.write(0, bytes());
            file.stopWriting();
            read(file);
            assertThat(file.sizeBytes()).isEqualTo(3);
        }
    }

    private static void assertFails(Call call, @Nullable Kind kind) {
        if (kind == null) {
            assertThatThrownBy(call::run).isInstanceOf(IOException.class).isNotInstanceOf(ShortageException.class);
        } else {
            assertThatThrownBy(call::run)
                    .isInstanceOfSatisfying(
                            ShortageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
        }
    }

    private static void read(DiskFile file) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(3);
        assertThat(file.read(0, target)).isEqualTo(3);
        assertThat(target.flip()).isEqualTo(bytes());
    }

    private static ByteBuffer bytes() {
        return ByteBuffer.wrap(new byte[] {1, 2, 3});
    }
}
