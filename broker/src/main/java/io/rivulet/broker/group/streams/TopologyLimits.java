package io.rivulet.broker.group.streams;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.CopartitionGroup;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.KeyValue;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Subtopology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.TopicInfo;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How large a topology may be: its names and configs have 512 Ki characters at most, where each subtopology, topic,
 * config and copartition group counts as 8 more. That bounds the heap, the entry in the log, and the time of all work
 * with the topology, which is linear. The check itself takes no memory. Pure functions.
 */
public final class TopologyLimits {
    private static final int MAX_CHARS = 512 << 10;
    private static final int CHARS_PER_ELEMENT = 8;
    /** It is repeated for each member that has tasks of the subtopology. */
    private static final int MAX_ID_CHARS = 255;

    private TopologyLimits() {}

    /** @throws RefusedException if the topology is too large */
    static void check(StreamsGroupHeartbeatRequest.@Nullable Topology sent) {
        if (!areKept(sent)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "The topology is too large: its names and configs may have " + MAX_CHARS
                            + " characters, where each subtopology, topic, config and copartition group counts as "
                            + CHARS_PER_ELEMENT + " more, and the id of a subtopology " + MAX_ID_CHARS + ".");
        }
    }

    public static boolean areKept(StreamsGroupHeartbeatRequest.@Nullable Topology sent) {
        long chars = 0;
        for (Subtopology part : sent == null ? List.<Subtopology>of() : sent.subtopologies()) {
            if (part.subtopologyId().length() > MAX_ID_CHARS) {
                return false;
            }
            chars += chars(part);
        }
        return chars <= MAX_CHARS;
    }

    private static long chars(Subtopology part) {
        long chars = (long) CHARS_PER_ELEMENT + part.subtopologyId().length();
        for (List<String> names : List.of(part.sourceTopics(), part.repartitionSinkTopics(), part.sourceTopicRegex())) {
            for (String name : names) {
                chars += CHARS_PER_ELEMENT + name.length();
            }
        }
        for (List<TopicInfo> topics : List.of(part.repartitionSourceTopics(), part.stateChangelogTopics())) {
            for (TopicInfo topic : topics) {
                chars += CHARS_PER_ELEMENT + topic.name().length() + chars(topic.topicConfigs());
            }
        }
        for (CopartitionGroup group : part.copartitionGroups()) {
            chars += CHARS_PER_ELEMENT;
            for (short index : group.sourceTopics()) {
                chars += CHARS_PER_ELEMENT + lengthAt(part.sourceTopics(), index, String::length);
            }
            for (short index : group.repartitionSourceTopics()) {
                chars += CHARS_PER_ELEMENT
                        + lengthAt(
                                part.repartitionSourceTopics(),
                                index,
                                topic -> topic.name().length());
            }
        }
        return chars;
    }

    /** A wrong index is found later. */
    private static <T> int lengthAt(List<T> topics, int index, ToIntFunction<T> length) {
        return index >= 0 && index < topics.size() ? length.applyAsInt(topics.get(index)) : 0;
    }

    private static long chars(List<KeyValue> configs) {
        long chars = 0;
        for (KeyValue config : configs) {
            chars += CHARS_PER_ELEMENT + config.key().length() + config.value().length();
        }
        return chars;
    }
}
