package io.rivulet.it.suites;

import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips the tests that {@code suites.txt} leaves out. With {@code -Dsuites.leftOut=run} they run, which shows those
 * that pass by now. JUnit finds this class as a service.
 */
public final class LeftOutCondition implements ExecutionCondition {
    static final String PREFIX = "left out, ";

    private static final boolean RUN = System.getProperty("suites.leftOut", "").equals("run");
    private static final Suites SUITES = Suites.load();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<Method> method = context.getTestMethod();
        if (RUN || method.isEmpty()) {
            return ConditionEvaluationResult.enabled("");
        }
        String type = context.getRequiredTestClass().getName();
        return SUITES.leftOut(type, method.get().getName(), context.getDisplayName())
                .map(why -> ConditionEvaluationResult.disabled(message(why)))
                .orElse(ConditionEvaluationResult.enabled(""));
    }

    static String message(Suites.LeftOut why) {
        return PREFIX + why.kind() + ": " + why.reason();
    }
}
