package io.rivulet.it.suites;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;
import org.mockito.invocation.InvocationOnMock;

/** Makes objects of Kafka's classes that answer a few methods, and throw {@link UsesInternals} for the others. */
final class Fakes {
    private Fakes() {}

    /** The answer to one method, made of the arguments. */
    interface Answer extends Function<InvocationOnMock, @Nullable Object> {}

    static <T> T of(Class<T> type, Map<String, Answer> answers) {
        return Mockito.mock(type, Mockito.withSettings().stubOnly().defaultAnswer(call -> {
            String method = call.getMethod().getName();
            Answer answer = answers.get(method);
            return switch (method) {
                case "toString" -> "Rivulet as a " + type.getSimpleName();
                case "hashCode" -> System.identityHashCode(call.getMock());
                case "equals" -> call.getMock() == call.getArgument(0);
                default -> {
                    if (answer == null) {
                        throw new UsesInternals(type.getSimpleName() + "." + method);
                    }
                    yield answer.apply(call);
                }
            };
        }));
    }
}
