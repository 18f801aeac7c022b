package io.rivulet.it.suites;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes one replica of several where a test asked for several brokers. What would be wrong in the cluster that the test
 * asked for stays as it is, because the test expects an error.
 */
public final class OneReplica {
    private OneReplica() {}

    public static Optional<Short> factor(Optional<Short> wanted) {
        return wanted.filter(factor -> factor > 1 && factor <= RivuletCluster.newestBrokers())
                        .isPresent()
                ? Optional.of((short) 1)
                : wanted;
    }

    public static Map<Integer, List<Integer>> assignment(Map<Integer, List<Integer>> wanted) {
        if (RivuletCluster.newestBrokers() == 1 || !wanted.values().stream().allMatch(OneReplica::isRight)) {
            return wanted;
        }
        Map<Integer, List<Integer>> one = new HashMap<>();
        wanted.keySet().forEach(partition -> one.put(partition, List.of(0)));
        return one;
    }

    private static boolean isRight(List<Integer> replicas) {
        return !replicas.isEmpty()
                && new HashSet<>(replicas).size() == replicas.size()
                && replicas.stream().allMatch(id -> id >= 0 && id < RivuletCluster.newestBrokers());
    }
}
