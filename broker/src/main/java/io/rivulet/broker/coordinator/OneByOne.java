package io.rivulet.broker.coordinator;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * A question about named things. Each of them is read in one slice.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class OneByOne<T> implements LongQuestions.Question<T> {
    private static final int PARTS_PER_SLICE = 1000;

    private final List<String> names;
    private final ToLongFunction<String> size;
    private final Consumer<String> look;
    private final Supplier<T> answer;
    private int next;

    /** @param size the number of parts of the named thing */
    public OneByOne(List<String> names, ToLongFunction<String> size, Consumer<String> look, Supplier<T> answer) {
        this.names = names;
        this.size = size;
        this.look = look;
        this.answer = answer;
    }

    @Override
    public long parts() {
        return names.stream().mapToLong(size).sum() + names.size();
    }

    @Override
    public boolean goOn() {
        long parts = 0;
        while (next < names.size() && parts < PARTS_PER_SLICE) {
            String name = names.get(next++);
            parts += 1 + size.applyAsLong(name);
            look.accept(name);
        }
        return next < names.size();
    }

    @Override
    public T answer() {
        return answer.get();
    }
}
