package io.rivulet.broker.topic;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first names, in their order, that contain a text. It scans all names once and keeps the best: sorting a
 * million names would take longer, and memory. Owned by: one thread.
 */
public final class NameSearch {
    private final byte[] part;
    private final byte[] after;
    private final int most;
    private final @Nullable Predicate<String> seen;
    private int count;
    private int countAfter;
    private @Nullable NameArena names;
    /** The places of the best names so far, the last of them first. */
    private final PriorityQueue<Integer> best = new PriorityQueue<>((a, b) -> arena().compare(b, a));

    /**
     * @param part of a name, in any case; empty for all names
     * @param after only names after this one are kept; all are counted
     * @param seen asked for each name that contains the text; null for all
     */
    NameSearch(String part, String after, int most, @Nullable Predicate<String> seen) {
        this.part = part.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        this.after = after.getBytes(StandardCharsets.UTF_8);
        this.most = most;
        this.seen = seen;
    }

    private NameArena arena() {
        NameArena of = names;
        if (of == null) {
            throw new IllegalStateException("the search has not begun");
        }
        return of;
    }

    void visit(NameArena arena, int place) {
        names = arena;
        if (!arena.contains(place, part) || (seen != null && !seen.test(arena.text(place)))) {
            return;
        }
        count++;
        if (after.length > 0 && arena.compare(place, after) <= 0) {
            return;
        }
        countAfter++;
        if (best.size() < most) {
            best.add(place);
        } else if (!best.isEmpty() && arena.compare(place, best.peek()) < 0) {
            best.remove();
            best.add(place);
        }
    }

    /** How many names contain the text. */
    public int count() {
        return count;
    }

    /** Whether there are more names than were kept. */
    public boolean hasMore() {
        return countAfter > most;
    }

    /** The names that were kept, in their order. Ends the search. */
    public List<String> names() {
        List<String> found = new ArrayList<>(best.size());
        while (!best.isEmpty()) {
            found.add(arena().text(best.remove()));
        }
        Collections.reverse(found);
        return found;
    }
}
