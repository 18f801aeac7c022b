package io.rivulet.broker.api.topic;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;

/** The topics that a client may describe. The others look as if they did not exist. Stateless. */
final class VisibleTopics {
    private VisibleTopics() {}

    /** Asks once for each topic, unless the client may do everything. */
    static List<Topic> all(TopicCatalogue topics, Access access) {
        if (access.isUnlimited()) {
            List<Topic> all = new ArrayList<>(topics.size());
            topics.forEach(all::add);
            return all;
        }
        List<Topic> visible = new ArrayList<>();
        topics.forEach(topic -> {
            if (access.mayTopic(Operation.DESCRIBE, topic.name())) {
                visible.add(topic);
            }
        });
        return visible;
    }
}
