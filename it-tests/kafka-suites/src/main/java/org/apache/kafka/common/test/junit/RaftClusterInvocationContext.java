package org.apache.kafka.common.test.junit;

import io.rivulet.it.suites.RivuletInstance;
import java.util.List;
import org.apache.kafka.common.test.api.ClusterConfig;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/** Gives a test of Kafka's a process of Rivulet. Kafka's class of this name starts Kafka. Immutable. */
public final class RaftClusterInvocationContext implements TestTemplateInvocationContext {
    private final String name;
    private final ClusterConfig config;
    private final boolean combined;

    public RaftClusterInvocationContext(String name, ClusterConfig config, boolean combined) {
        this.name = name;
        this.config = config;
        this.combined = combined;
    }

    @Override
    public String getDisplayName(int index) {
        return name + " [" + index + "] " + String.join(",", config.displayTags());
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
        RivuletInstance instance = new RivuletInstance(config);
        ClusterInstanceParameterResolver parameters = new ClusterInstanceParameterResolver(instance);
        if (combined && config.clusterTypes().size() > 1) {
            ExecutionCondition once = context -> ConditionEvaluationResult.disabled(
                    "the same test, with broker and controller in one process of Kafka");
            // JUnit calls the constructor of the test first.
            return List.of(once, parameters);
        }
        BeforeEachCallback start = context -> {
            if (config.isAutoStart()) {
                instance.start();
            }
        };
        AfterTestExecutionCallback stop = context -> instance.stop();
        // A test whose preparation fails is not executed.
        AfterEachCallback stopUnprepared = context -> instance.stop();
        return List.of(start, stop, stopUnprepared, parameters);
    }
}
