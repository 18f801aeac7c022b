package io.rivulet.broker.console;

import io.rivulet.broker.metrics.ClusterFacts;
import io.rivulet.broker.metrics.ClusterFacts.Steps;
import io.rivulet.store.shard.Overview;
import java.util.concurrent.TimeUnit;

/** The part of a broker in a cluster, as JSON. Stateless. */
final class ShardJson {
    private ShardJson() {}

    static JsonWriter write(JsonWriter json, ClusterFacts facts) {
        json.object().field("role", facts.role().text());
        if (facts.ownerId() != Overview.NOBODY) {
            json.field("owner", facts.ownerId());
        }
        json.field("ownersConsole", facts.ownersConsole().isEmpty() ? null : facts.ownersConsole())
                .field("epoch", facts.epoch())
                .field("brokers", facts.brokers())
                .field("begun", facts.takeovers().begun())
                .field("completed", facts.takeovers().completed())
                .field("lost", facts.takeovers().lost())
                .field("ledgers", facts.log().ledgers())
                .field("relayed", facts.relayed().open())
                .field("waiting", facts.relayed().waiting());
        Steps last = facts.takeovers().last();
        if (last != null) {
            json.field("lastMillis", TimeUnit.NANOSECONDS.toMillis(last.nanos()));
        }
        return json.endObject();
    }
}
