package io.rivulet.broker.group;

import com.google.re2j.Pattern;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.consumer.ConsumerContext.Found;
import io.rivulet.broker.group.consumer.ConsumerContext.Search;
import io.rivulet.broker.regex.Regexes;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.TopicWalk;
import io.rivulet.store.failure.LogLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The search for the topics of one group, in slices. An expression that an older version accepted and this one refuses
 * matches nothing, and a warning is logged.
 *
 * <p>Owned by: the thread of {@link RegexMatching}.
 */
public final class RegexSearch {
    private static final Logger LOG = LoggerFactory.getLogger(RegexSearch.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    private final Search search;
    private final TopicCatalogue catalogue;
    private final Map<String, List<Topic>> found = new TreeMap<>();
    private final Map<Pattern, List<Topic>> byPattern = new HashMap<>();
    private TopicWalk walk;
    /** The number of matches that it holds. */
    private long held;

    private long nanos;

    public RegexSearch(Search search, TopicCatalogue catalogue) {
        this.search = search;
        this.catalogue = catalogue;
        this.walk = catalogue.walk();
    }

    /** The time that it has run. */
    long nanos() {
        return nanos;
    }

    void worked(long moreNanos) {
        nanos += moreNanos;
    }

    boolean isWanted() {
        return search.wanted().getAsBoolean();
    }

    long held() {
        return held;
    }

    /** Matches one topic; true after the last one. */
    public boolean step() {
        if (found.isEmpty()) {
            search.regexes().forEach(this::compile);
        }
        if (walk.hasNext()) {
            walk.next(this::match);
        }
        return !walk.hasNext();
    }

    private void compile(String regex) {
        List<Topic> matches = new ArrayList<>();
        found.put(regex, matches);
        try {
            byPattern.put(Regexes.compile("SubscribedTopicRegex", regex), matches);
        } catch (RefusedException e) {
            LIMIT.log(more -> LOG.warn(
                    "A subscription that an older version accepted matches nothing: {}{}", e.getMessage(), more));
        }
    }

    private void match(Topic topic) {
        String name = topic.name();
        byPattern.forEach((pattern, matches) -> {
            if (pattern.matches(name) && search.access().mayTopic(Operation.DESCRIBE, name)) {
                matches.add(topic);
                held++;
            }
        });
    }

    /** Drops all matches and starts again. */
    void restart() {
        found.clear();
        byPattern.clear();
        held = 0;
        walk = catalogue.walk();
    }

    /** The task that delivers the result on the coordinator thread. */
    public Runnable end(boolean complete) {
        Map<String, List<Topic>> topics = new TreeMap<>(found);
        if (!complete) {
            LIMIT.log(more -> LOG.warn(
                    "The regular expressions of a group match nothing: no memory for their {} matches{}", held, more));
            search.regexes().forEach(regex -> topics.put(regex, List.of()));
        }
        Found result = new Found(topics, complete, nanos);
        return () -> search.found().accept(result);
    }
}
