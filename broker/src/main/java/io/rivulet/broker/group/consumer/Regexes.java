package io.rivulet.broker.group.consumer;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Regular expressions of subscriptions, in the syntax of RE2: matching takes time linear in the name, whatever a client sends.
 * A pure function; walks over every topic, so not for the thread that owns the groups.
 */
public final class Regexes {
    private Regexes() {}

    /** @throws RefusedException when it is none */
    static void check(String regex) {
        try {
            Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new RefusedException(
                    ErrorCode.INVALID_REGULAR_EXPRESSION,
                    "SubscribedTopicRegex `" + regex + "` is not a valid regular expression: " + e.getDescription());
        }
    }

    /** The topics whose whole name matches, for each of the expressions. */
    public static Map<String, List<Topic>> match(Set<String> regexes, TopicCatalogue topics) {
        Map<String, List<Topic>> found = new TreeMap<>();
        Map<Pattern, List<Topic>> byPattern = new HashMap<>();
        for (String regex : regexes) {
            List<Topic> matches = new ArrayList<>();
            found.put(regex, matches);
            byPattern.put(Pattern.compile(regex), matches);
        }
        topics.forEach(topic -> byPattern.forEach((pattern, matches) -> {
            if (pattern.matches(topic.name())) {
                matches.add(topic);
            }
        }));
        return found;
    }
}
