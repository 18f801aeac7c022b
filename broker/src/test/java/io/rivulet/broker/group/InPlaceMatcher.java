package io.rivulet.broker.group;

import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.consumer.ConsumerContext.Matcher;
import io.rivulet.broker.group.consumer.ConsumerContext.Search;
import io.rivulet.broker.regex.Regexes;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Compiles expressions on the thread of the test, and matches topics on the executor. */
public record InPlaceMatcher(TopicCatalogue topics, Executor searches) implements Matcher {
    @Override
    public void check(String regex, Consumer<@Nullable RefusedException> checked) {
        @Nullable RefusedException refusal = null;
        try {
            Object unused = Regexes.compile("SubscribedTopicRegex", regex);
        } catch (RefusedException e) {
            refusal = e;
        }
        checked.accept(refusal);
    }

    @Override
    public void match(Search search) {
        searches.execute(() -> {
            RegexSearch work = new RegexSearch(search, topics);
            while (!work.step()) {}
            work.end(true).run();
        });
    }
}
