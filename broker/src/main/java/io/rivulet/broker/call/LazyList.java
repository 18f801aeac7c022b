package io.rivulet.broker.call;

import java.util.AbstractList;
import java.util.function.IntFunction;

/** A list that makes each element when it is read, for long answers that are encoded once. Immutable. */
public final class LazyList<E> extends AbstractList<E> {
    private final int size;
    private final IntFunction<E> element;

    public LazyList(int size, IntFunction<E> element) {
        this.size = size;
        this.element = element;
    }

    @Override
    public E get(int index) {
        return element.apply(index);
    }

    @Override
    public int size() {
        return size;
    }
}
