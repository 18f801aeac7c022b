package io.rivulet.broker.group.consumer;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.group.Surroundings;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What a group of the consumer protocol has around it, beyond what all groups have. Immutable. */
public record ConsumerSurroundings(
        Surroundings around, ConsumerGroupSettings settings, TopicCatalogue topics, Matcher matcher) {
    /** Finds topics elsewhere, for it takes a look at all of them. */
    @FunctionalInterface
    public interface Matcher {
        /** @param found called on the thread that owns the groups, with the topics that match each of the expressions */
        void match(Set<String> regexes, Consumer<Map<String, List<Topic>>> found);
    }
}
