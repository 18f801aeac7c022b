package io.rivulet.store.io;

import io.rivulet.store.faults.FaultShim;
import io.rivulet.store.faults.FaultShim.Call;
import io.rivulet.store.faults.FaultShim.Errno;
import io.rivulet.store.io.DiskContract.Clause;
import io.rivulet.store.io.DiskContract.Faults;
import io.rivulet.store.io.FaultyDisk.Cause;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks {@link DiskContract} on the real disk, in a process with the preloaded library of {@link FaultShim}. Writes a
 * line for each clause.
 */
public final class RealDiskContract {
    static final String KEPT = "kept";
    static final String SEPARATOR = ": ";

    private RealDiskContract() {}

    /** @param args the directory with faults, and the file for the results */
    public static void main(String[] args) throws IOException {
        FaultShim shim = FaultShim.ofThisProcess();
        Path below = Path.of(args[0]);
        List<String> lines = new ArrayList<>();
        for (Clause clause : DiskContract.clauses()) {
            lines.add(clause.name() + SEPARATOR + outcome(clause, below, shim));
        }
        Files.write(Path.of(args[1]), lines);
    }

    private static String outcome(Clause clause, Path below, FaultShim shim) throws IOException {
        Path directory = Files.createTempDirectory(below, "clause");
        try {
            clause.body().check(new LocalDisk(directory), new ShimFaults(shim));
            return KEPT;
        } catch (Exception | AssertionError e) {
            return e.toString().replace('\n', ' ');
        } finally {
            shim.heal();
        }
    }

    private record ShimFaults(FaultShim shim) implements Faults {
        @Override
        public void fail(Op op, Cause cause) throws IOException {
            shim.fail(call(op), errno(cause));
        }

        @Override
        public void heal() throws IOException {
            shim.heal();
        }
    }

    private static Call call(Op op) {
        return op == Op.EXTEND ? Call.WRITE : Call.valueOf(op.name());
    }

    private static Errno errno(Cause cause) {
        return switch (cause) {
            case NO_SPACE -> Errno.ENOSPC;
            case NO_QUOTA -> Errno.EDQUOT;
            case NO_DESCRIPTORS -> Errno.EMFILE;
            case READ_ONLY -> Errno.EROFS;
            case BROKEN -> Errno.EIO;
        };
    }
}
