package io.rivulet.prove.failover;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** How long the load stood still, for each kind of fault. Owned by: one thread. */
final class Stalls {
    private final Map<Fault, List<Long>> millis = new EnumMap<>(Fault.class);

    void add(Fault fault, long nanos) {
        millis.computeIfAbsent(fault, any -> new ArrayList<>()).add(TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    @Override
    public String toString() {
        return millis.entrySet().stream()
                .map(entry -> entry.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " "
                        + entry.getValue().stream().map(String::valueOf).collect(Collectors.joining(" ")))
                .collect(Collectors.joining(", "));
    }
}
