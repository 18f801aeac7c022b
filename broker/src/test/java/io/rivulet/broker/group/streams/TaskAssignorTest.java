package io.rivulet.broker.group.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.group.streams.TaskAssignor.Assignee;
import io.rivulet.broker.group.streams.TaskAssignor.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TaskAssignorTest {
    private static final int RUNS = 300;
    private static final int CHANGES = 12;

    private final long firstSeed = Long.getLong("rivulet.seed", System.nanoTime());

    @Test
    void aLostMembersTasksGoToItsStandbys() {
        List<Part> parts = List.of(new Part("0", 3, true));
        Map<String, Tasks> before = assigned(List.of("a/1", "b/1", "c/1"), parts, 1, Map.of());

        Map<String, Tasks> after = assigned(List.of("b/1", "c/1"), parts, 1, before);

        of(before, "a/1")
                .active()
                .forEach((id, partitions) -> IntStream.of(partitions).forEach(partition -> {
                    for (String member : after.keySet()) {
                        if (of(before, member).standby().contains(id, partition)) {
                            assertThat(of(after, member).active().contains(id, partition))
                                    .isTrue();
                        }
                    }
                }));
    }

    @Test
    void aNewThreadOfAProcessTakesTasksOfThatProcess() {
        List<Part> parts = List.of(new Part("0", 6, true));
        Map<String, Tasks> before = assigned(List.of("a/1", "b/1"), parts, 0, Map.of());

        Map<String, Tasks> after = assigned(List.of("a/1", "a/2", "b/1"), parts, 0, before);

        int ofA = 0;
        for (String member : List.of("a/1", "a/2")) {
            ofA += of(after, member)
                    .active()
                    .intersect(of(before, "a/1").active())
                    .size();
        }
        assertThat(ofA).isEqualTo(3);
    }

    /**
     * Random topologies and members that come and go. Each task is active once, active tasks are level, standbys are in
     * other processes, and no more tasks move than must.
     */
    @Test
    void eachTaskIsAssignedOnceLevelAndFewMove() {
        for (int run = 0; run < RUNS; run++) {
            long seed = firstSeed + run;
            try {
                changeAndCheck(new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Drivulet.seed=" + seed, e);
            }
        }
    }

    private static void changeAndCheck(Random random) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            parts.add(new Part("part" + i, random.nextInt(20), random.nextBoolean()));
        }
        List<String> members = new ArrayList<>();
        Map<String, Tasks> before = Map.of();
        for (int i = 0; i < CHANGES; i++) {
            if (members.isEmpty() || random.nextInt(3) > 0) {
                members.add(random.nextInt(4) + "/" + i);
            } else {
                members.remove(random.nextInt(members.size()));
            }
            int standbys = random.nextInt(3);
            Map<String, Tasks> after = assigned(members, parts, standbys, before);
            checkEachOnce(parts, after);
            checkStandbys(parts, after, standbys);
            checkLevel(parts, after);
            if (!members.isEmpty()
                    && parts.stream().map(Part::stateful).distinct().count() == 1) {
                assertThat(moved(before, after)).isEqualTo(leastMoves(parts, before, after));
            }
            before = after;
        }
    }

    private static Tasks of(Map<String, Tasks> tasks, String member) {
        return Objects.requireNonNull(tasks.get(member));
    }

    /** A member has the name process/thread. */
    private static Map<String, Tasks> assigned(
            List<String> members, List<Part> parts, int standbys, Map<String, Tasks> before) {
        List<Assignee> assignees = new ArrayList<>();
        for (String member : members) {
            assignees.add(new Assignee(member, process(member), before.getOrDefault(member, Tasks.NONE)));
        }
        TaskAssignor.assign(assignees, parts, standbys);
        Map<String, Tasks> after = new LinkedHashMap<>();
        assignees.forEach(assignee -> after.put(assignee.id, assignee.after()));
        return after;
    }

    private static String process(String member) {
        return member.substring(0, member.indexOf('/'));
    }

    private static void checkEachOnce(List<Part> parts, Map<String, Tasks> after) {
        if (after.isEmpty()) {
            return;
        }
        for (Part part : parts) {
            for (int i = 0; i < part.tasks(); i++) {
                int partition = i;
                assertThat(after.values().stream()
                                .filter(tasks -> tasks.active().contains(part.id(), partition)))
                        .hasSize(1);
            }
        }
        int all = parts.stream().mapToInt(Part::tasks).sum();
        assertThat(after.values().stream()
                        .mapToInt(tasks -> tasks.active().size())
                        .sum())
                .isEqualTo(all);
    }

    private static void checkLevel(List<Part> parts, Map<String, Tasks> after) {
        for (boolean stateful : List.of(true, false)) {
            List<Integer> sizes = new ArrayList<>();
            for (Tasks tasks : after.values()) {
                int size = 0;
                for (Part part : parts) {
                    for (int i = 0; i < part.tasks() && (part.stateful() || !stateful); i++) {
                        size += tasks.active().contains(part.id(), i) ? 1 : 0;
                    }
                }
                sizes.add(size);
            }
            if (!sizes.isEmpty()) {
                assertThat(sizes.stream().max(Integer::compare).orElseThrow()
                                - sizes.stream().min(Integer::compare).orElseThrow())
                        .as(stateful ? "active tasks with state" : "all active tasks")
                        .isLessThanOrEqualTo(1);
            }
        }
    }

    private static void checkStandbys(List<Part> parts, Map<String, Tasks> after, int standbys) {
        Set<String> processes = new HashSet<>();
        after.keySet().forEach(member -> processes.add(process(member)));
        for (Part part : parts) {
            for (int i = 0; i < part.tasks() && !after.isEmpty(); i++) {
                Map<String, Integer> holders = new TreeMap<>();
                int copies = 0;
                for (Map.Entry<String, Tasks> entry : after.entrySet()) {
                    boolean standby = entry.getValue().standby().contains(part.id(), i);
                    if (standby || entry.getValue().active().contains(part.id(), i)) {
                        holders.merge(process(entry.getKey()), 1, Integer::sum);
                    }
                    copies += standby ? 1 : 0;
                }
                assertThat(holders.values()).allMatch(count -> count == 1);
                assertThat(copies).isEqualTo(part.stateful() ? Math.min(standbys, processes.size() - 1) : 0);
            }
        }
    }

    /** The number of tasks that are active at another member than before, and whose member is still there. */
    private static int moved(Map<String, Tasks> before, Map<String, Tasks> after) {
        int moved = 0;
        for (Map.Entry<String, Tasks> entry : after.entrySet()) {
            Tasks had = before.getOrDefault(entry.getKey(), Tasks.NONE);
            moved += had.active().minus(entry.getValue().active()).size();
        }
        return moved;
    }

    /** Members with the most tasks keep one more, if not all get the same number. */
    private static int leastMoves(List<Part> parts, Map<String, Tasks> before, Map<String, Tasks> after) {
        int all = parts.stream().mapToInt(Part::tasks).sum();
        int each = all / after.size();
        int more = all % after.size();
        List<Integer> had = new ArrayList<>();
        after.keySet()
                .forEach(member ->
                        had.add(before.getOrDefault(member, Tasks.NONE).active().size()));
        had.sort(Comparator.reverseOrder());
        int moves = 0;
        for (int i = 0; i < had.size(); i++) {
            moves += Math.max(0, had.get(i) - (i < more ? each + 1 : each));
        }
        return moves;
    }
}
