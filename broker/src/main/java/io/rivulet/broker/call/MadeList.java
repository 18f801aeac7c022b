package io.rivulet.broker.call;

import java.util.AbstractList;
import java.util.function.IntFunction;

/** A list whose elements are made anew whenever they are asked for: for long answers that are written once. Immutable. */
public final class MadeList<E> extends AbstractList<E> {
    private final int size;
    private final IntFunction<E> element;

    public MadeList(int size, IntFunction<E> element) {
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
