package io.rivulet.broker.cli;

import io.rivulet.broker.json.JsonText;
import io.rivulet.store.inspect.InspectionSink;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints what an inspection finds, or collects it for a JSON document. Owned by: one command. */
final class Inspection implements InspectionSink {
    private final boolean json;
    private final PrintWriter out;
    private final Progress progress;
    private final List<String> lines = new ArrayList<>();
    private final List<Map<String, @Nullable Object>> damage = new ArrayList<>();
    private final List<String> repaired = new ArrayList<>();

    Inspection(boolean json, PrintWriter out, Progress progress) {
        this.json = json;
        this.out = out;
        this.progress = progress;
    }

    @Override
    public void line(String text) {
        if (json) {
            lines.add(text.strip());
        } else {
            progress.close();
            out.println(text);
        }
    }

    @Override
    public void problem(String where, String what) {
        if (json) {
            damage.add(JsonText.object("where", where, "what", what, "remedy", null));
        } else {
            InspectionSink.super.problem(where, what);
        }
    }

    @Override
    public void remedy(String what) {
        if (json && !damage.isEmpty()) {
            damage.get(damage.size() - 1).put("remedy", what);
        } else {
            InspectionSink.super.remedy(what);
        }
    }

    @Override
    public void progress(String step, long done, long total) {
        progress.at(step, done, total);
    }

    /** A line of the repair, which is printed at once. */
    void repairing(String text) {
        if (json) {
            repaired.add(text.strip());
        } else {
            progress.close();
            out.println(text);
            out.flush();
        }
    }

    /** @param after the inspection after the repair; null without one */
    Map<String, @Nullable Object> json(int exitCode, @Nullable Inspection after) {
        Map<String, @Nullable Object> document =
                JsonText.object("exitCode", exitCode, "sound", damage.isEmpty(), "damage", damage, "lines", lines);
        if (after != null) {
            document.put("repair", repaired);
            document.put("after", JsonText.object("damage", after.damage, "lines", after.lines));
        }
        return document;
    }
}
