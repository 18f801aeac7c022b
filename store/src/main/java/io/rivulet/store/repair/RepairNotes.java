package io.rivulet.store.repair;

import java.util.Locale;
import java.util.function.Consumer;

/** Records and counts the results of a repair. Owned by: one repair. */
final class RepairNotes {
    private final Consumer<String> lines;
    private int done;
    private int lost;
    private int failed;

    RepairNotes(Consumer<String> lines) {
        this.lines = lines;
    }

    void progress(String format, Object... values) {
        line("  ", format, values);
    }

    /** Something was repaired without a loss. */
    void done(String format, Object... values) {
        done++;
        line("  REPAIRED ", format, values);
    }

    /** Something is lost for good. */
    void lost(String format, Object... values) {
        lost++;
        line("  LOST ", format, values);
    }

    /** Something is still damaged. */
    void failed(String format, Object... values) {
        failed++;
        line("  NOT REPAIRED ", format, values);
    }

    private void line(String prefix, String format, Object... values) {
        lines.accept(prefix + String.format(Locale.ROOT, format, values));
    }

    Repair.Result result() {
        if (failed > 0) {
            return Repair.Result.NOT_REPAIRED;
        }
        if (lost > 0) {
            return Repair.Result.REPAIRED_WITH_LOSS;
        }
        return done > 0 ? Repair.Result.REPAIRED : Repair.Result.NOTHING_TO_DO;
    }
}
