package io.rivulet.junit.bridge;

import io.rivulet.broker.EmbeddedBroker;
import io.rivulet.junit.RivuletBroker;
import java.util.function.Consumer;

/** The configuration of a broker as tests see it. {@link io.rivulet.junit.Libraries} makes it, by its name. */
public final class BridgedPlan implements RivuletBroker.Plan {
    private final EmbeddedBroker.Plan plan = EmbeddedBroker.inMemoryOrTemp();

    @Override
    public RivuletBroker.Plan with(String key, String value) {
        plan.with(key, value);
        return this;
    }

    @Override
    public RivuletBroker.Plan withTls() {
        plan.withTls();
        return this;
    }

    @Override
    public RivuletBroker.Plan withUser(String name, String password) {
        plan.withUser(name, password);
        return this;
    }

    @Override
    public RivuletBroker.Plan topic(String name, int partitions) {
        plan.topic(name, partitions);
        return this;
    }

    @Override
    public RivuletBroker.Plan onFailure(Consumer<Throwable> listener) {
        plan.onFailure(listener);
        return this;
    }

    @Override
    public RivuletBroker start() {
        return new BridgedBroker(plan.start());
    }
}
