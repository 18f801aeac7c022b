package io.rivulet.broker.api;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The parts of a request that its client is allowed, and the others, both in the order of the request. Immutable. */
public record Split<E>(List<E> allowed, List<E> denied) {
    /** Copies nothing if all are allowed. */
    public static <E> Split<E> of(List<E> all, Predicate<E> isAllowed) {
        int first = 0;
        while (first < all.size() && isAllowed.test(all.get(first))) {
            first++;
        }
        if (first == all.size()) {
            return new Split<>(all, List.of());
        }
        List<E> allowed = new ArrayList<>(all.subList(0, first));
        List<E> denied = new ArrayList<>();
        denied.add(all.get(first));
        for (E one : all.subList(first + 1, all.size())) {
            (isAllowed.test(one) ? allowed : denied).add(one);
        }
        return new Split<>(allowed, denied);
    }

    /** The results of the allowed parts, then those of the others. */
    public static <R> List<R> joined(List<R> ofAllowed, List<R> ofDenied) {
        if (ofDenied.isEmpty()) {
            return ofAllowed;
        }
        List<R> all = new ArrayList<>(ofAllowed);
        all.addAll(ofDenied);
        return all;
    }
}
