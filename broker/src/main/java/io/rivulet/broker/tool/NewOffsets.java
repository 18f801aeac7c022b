package io.rivulet.broker.tool;

import io.rivulet.broker.client.TopicQueries;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that say to where the offsets of a group are reset. Picocli makes sure that at most one is given.
 *
 * <p>Owned by: the main thread.
 */
final class NewOffsets {
    /** For a misuse without any of the options. */
    static final String MISSING =
            "Missing required option: '--to-earliest', '--to-latest', '--to-offset' or '--shift-by'";

    @Option(names = "--to-earliest", description = "to the first record")
    private boolean earliest;

    @Option(names = "--to-latest", description = "to the end")
    @SuppressWarnings("UnusedVariable") // it is what remains when no other option is given
    private boolean latest;

    @Option(names = "--to-offset", paramLabel = "n", description = "to this offset")
    private @Nullable Long offset;

    @Option(names = "--shift-by", paramLabel = "n", description = "forward by n, or back if n is negative")
    private @Nullable Long shift;

    /** The new offsets of a topic, within the range of each partition. */
    SortedMap<Integer, Long> of(TopicQueries topics, String topic, SortedMap<Integer, Long> committed) {
        MetadataResponseTopic found = topics.require(topic, false);
        SortedMap<Integer, Long> starts = topics.offsets(found, TopicQueries.EARLIEST);
        SortedMap<Integer, Long> ends = topics.offsets(found, TopicQueries.LATEST);
        SortedMap<Integer, Long> target = new TreeMap<>();
        starts.forEach((partition, start) -> {
            long end = ends.getOrDefault(partition, start);
            long wanted = wanted(start, end, committed.getOrDefault(partition, start));
            target.put(partition, Math.max(start, Math.min(end, wanted)));
        });
        return target;
    }

    private long wanted(long start, long end, long current) {
        if (offset != null) {
            return offset;
        }
        if (shift != null) {
            return current + shift;
        }
        return earliest ? start : end;
    }
}
