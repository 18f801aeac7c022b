package io.rivulet.broker.coordinator;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * A question about groups or transactional ids by name. Each of them is read in one slice.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class OneByOne<T> implements LongQuestions.Question<T> {
    private static final int PARTS_PER_SLICE = 1000;

    private final List<String> names;
    private final ToLongFunction<String> size;
    private final Consumer<String> visit;
    private final Supplier<T> answer;
    private int next;

    /**
     * @param size the number of parts of a name
     * @param visit reads one name
     */
    public OneByOne(List<String> names, ToLongFunction<String> size, Consumer<String> visit, Supplier<T> answer) {
        this.names = names;
        this.size = size;
        this.visit = visit;
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
            visit.accept(name);
        }
        return next < names.size();
    }

    @Override
    public T answer() {
        return answer.get();
    }
}
