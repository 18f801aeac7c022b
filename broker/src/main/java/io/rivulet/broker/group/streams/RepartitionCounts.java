package io.rivulet.broker.group.streams;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.streams.Topology.Subtopology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * Computes how many partitions repartition topics get: as many as the largest topic that the subtopologies read which
 * write it. So a topic waits for the topics that its writers read. In a loop, topics wait for each other: then those
 * are counted for which one topic that a writer reads is known, in the order of names.
 *
 * <p>Each subtopology learns each topic that it reads once, so the time is linear in the topology.
 *
 * <p>Owned by: one call. Coordinator thread.
 */
final class RepartitionCounts {
    /** What is known of the topics that a subtopology reads. */
    private static final class Writer {
        final Set<String> sinks;
        int unknownInputs;
        int most;

        Writer(Set<String> sinks) {
            this.sinks = sinks;
        }
    }

    /** A repartition topic without a count. */
    private static final class Open {
        final List<Writer> writers = new ArrayList<>(1);
        /** Those that read topics without a count. */
        int waiting;
    }

    private final Map<String, Integer> counts;
    private final Map<String, List<Writer>> readers = new HashMap<>();
    private final Map<String, Open> open = new HashMap<>();
    /** Topics whose writers know all that they read. */
    private final Deque<String> complete = new ArrayDeque<>();
    /** Topics of which one writer knows something, and maybe others. */
    private final TreeSet<String> candidates = new TreeSet<>();

    private final List<Writer> all = new ArrayList<>();

    /**
     * @param count the number of partitions of a topic; 0 if it is not known yet
     * @param counts the result, with the topics that are known already
     */
    RepartitionCounts(Topology topology, ToIntFunction<String> count, Map<String, Integer> counts) {
        this.counts = counts;
        for (Subtopology part : topology.subtopologies().values()) {
            Writer writer = new Writer(Set.copyOf(part.repartitionSinks()));
            all.add(writer);
            for (String input : part.inputs()) {
                int known = count.applyAsInt(input);
                writer.most = Math.max(writer.most, known);
                if (known == 0) {
                    writer.unknownInputs++;
                    readers.computeIfAbsent(input, name -> new ArrayList<>(1)).add(writer);
                }
            }
        }
    }

    /**
     * Counts the topics that are not counted yet.
     *
     * @throws RefusedException if some depend on no topic that exists
     */
    void complete(Collection<String> topics) {
        topics.stream().filter(name -> !counts.containsKey(name)).forEach(name -> open.put(name, new Open()));
        for (Writer writer : all) {
            for (String sink : writer.sinks) {
                Open topic = open.get(sink);
                if (topic != null) {
                    topic.writers.add(writer);
                    topic.waiting += writer.unknownInputs > 0 ? 1 : 0;
                }
            }
        }
        open.forEach((name, topic) -> {
            if (topic.waiting == 0 && !topic.writers.isEmpty()) {
                complete.add(name);
            } else if (topic.writers.stream().anyMatch(writer -> writer.most > 0)) {
                candidates.add(name);
            }
        });
        countComplete();
        while (!candidates.isEmpty()) {
            countCandidates();
            countComplete();
        }
        if (!open.isEmpty()) {
            throw new RefusedException(
                    ErrorCode.STREAMS_INVALID_TOPOLOGY,
                    "The number of partitions of these repartition topics depends on no topic that exists: "
                            + String.join(", ", new TreeSet<>(open.keySet())) + ".");
        }
    }

    private void countComplete() {
        for (String next = complete.poll(); next != null; next = complete.poll()) {
            count(next);
        }
    }

    /** Counts candidates in the order of names, also those that become candidates after the present one. */
    private void countCandidates() {
        String name = candidates.first();
        while (name != null) {
            count(name);
            name = candidates.higher(name);
        }
    }

    private void count(String name) {
        Open topic = open.remove(name);
        candidates.remove(name);
        if (topic == null) {
            return;
        }
        int most = 0;
        for (Writer writer : topic.writers) {
            most = Math.max(most, writer.most);
        }
        counts.put(name, most);
        for (Writer reader : readers.getOrDefault(name, List.of())) {
            boolean first = reader.most == 0;
            reader.most = Math.max(reader.most, most);
            reader.unknownInputs--;
            if (first || reader.unknownInputs == 0) {
                tellSinks(reader);
            }
        }
    }

    private void tellSinks(Writer writer) {
        for (String sink : writer.sinks) {
            Open topic = open.get(sink);
            if (topic != null) {
                candidates.add(sink);
                topic.waiting -= writer.unknownInputs == 0 ? 1 : 0;
                if (topic.waiting == 0) {
                    complete.add(sink);
                }
            }
        }
    }
}
