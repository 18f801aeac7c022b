package io.rivulet.broker.group.streams;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Assigns all tasks anew, and moves few of them.
 *
 * <ol>
 *   <li>Active tasks with state are levelled, then those without: members differ by one at most. A task stays with its
 *       member; or else it goes to a member of the same process, whose directory has the state; or else to a standby of
 *       the task; or else to the member with the fewest tasks.
 *   <li>Standbys of a task are in different processes, none of them in the process of the active task. They stay where
 *       state is, as long as the process does not have more tasks than its share.
 * </ol>
 *
 * <p>Owned by: one call. Coordinator thread.
 */
final class TaskAssignor {
    static final String NAME = "sticky";

    /** A subtopology with the number of its tasks. */
    record Part(String id, int tasks, boolean stateful) {}

    /** A member with the target it had, and the one it gets. */
    static final class Assignee {
        final String id;
        final String processId;
        final Tasks before;
        private final TaskSet.Builder active = new TaskSet.Builder();
        private final TaskSet.Builder standby = new TaskSet.Builder();
        private int actives;
        private int load;
        /** The most active tasks that it may get. */
        private int room;
        /** The tasks to place that it had before. */
        private int had;
        /** The tasks to place that nobody has, and of which it was a standby. */
        private int inherits;

        Assignee(String id, String processId, Tasks before) {
            this.id = id;
            this.processId = processId;
            this.before = before;
        }

        Tasks after() {
            return new Tasks(active.build(), standby.build());
        }
    }

    private record Task(String subtopology, int partition) {}

    /** A process with its members. */
    private static final class Instance {
        final int number;
        final List<Assignee> members = new ArrayList<>();
        final Set<Task> tasks = new HashSet<>();

        Instance(int number) {
            this.number = number;
        }

        double load() {
            return (double) tasks.size() / members.size();
        }

        /** The member with the smallest load. */
        Assignee idlest() {
            Assignee idlest = members.get(0);
            for (Assignee member : members) {
                idlest = member.load < idlest.load ? member : idlest;
            }
            return idlest;
        }
    }

    private final Collection<Assignee> assignees;
    private final Map<String, Instance> processes = new LinkedHashMap<>();
    private final Map<Task, Assignee> activeBefore = new HashMap<>();
    private final Map<Task, List<Assignee>> standbysBefore = new HashMap<>();

    private TaskAssignor(Collection<Assignee> assignees) {
        this.assignees = assignees;
        for (Assignee assignee : assignees) {
            processes
                    .computeIfAbsent(assignee.processId, id -> new Instance(processes.size()))
                    .members
                    .add(assignee);
            assignee.before
                    .active()
                    .forEach((id, partitions) -> IntStream.of(partitions)
                            .forEach(partition -> activeBefore.put(new Task(id, partition), assignee)));
            assignee.before
                    .standby()
                    .forEach((id, partitions) -> IntStream.of(partitions)
                            .forEach(partition -> standbysBefore
                                    .computeIfAbsent(new Task(id, partition), task -> new ArrayList<>(2))
                                    .add(assignee)));
        }
    }

    /** @param standbys how many standbys each task with state gets, if there are as many other processes */
    static void assign(Collection<Assignee> assignees, Collection<Part> parts, int standbys) {
        if (!assignees.isEmpty()) {
            TaskAssignor assignor = new TaskAssignor(assignees);
            List<Task> stateful = tasks(parts, true);
            assignor.placeActive(stateful);
            assignor.placeActive(tasks(parts, false));
            assignor.placeStandbys(stateful, Math.min(standbys, assignor.processes.size() - 1));
        }
    }

    private static List<Task> tasks(Collection<Part> parts, boolean stateful) {
        List<Task> tasks = new ArrayList<>();
        for (Part part : parts) {
            for (int i = 0; part.stateful == stateful && i < part.tasks; i++) {
                tasks.add(new Task(part.id, i));
            }
        }
        return tasks;
    }

    // ---- active tasks ----

    private void placeActive(List<Task> tasks) {
        shareRoom(tasks);
        List<Task> open = new ArrayList<>();
        for (Task task : tasks) {
            Assignee before = activeBefore.get(task);
            if (before != null && before.actives < before.room) {
                addActive(before, task);
            } else {
                open.add(task);
            }
        }
        open.removeIf(task -> toProcessOf(activeBefore.get(task), task));
        open.removeIf(task -> toStandby(standbysBefore.getOrDefault(task, List.of()), task));
        TreeSet<Assignee> idle = new TreeSet<>(Comparator.comparingInt((Assignee assignee) -> assignee.actives)
                .thenComparing(assignee -> assignee.id));
        assignees.stream().filter(assignee -> assignee.actives < assignee.room).forEach(idle::add);
        for (Task task : open) {
            Assignee idlest = idle.pollFirst();
            if (idlest == null) {
                throw new IllegalStateException("no member has room for a task");
            }
            addActive(idlest, task);
            if (idlest.actives < idlest.room) {
                idle.add(idlest);
            }
        }
    }

    /** Each member gets the same number, or one more: first those that have one more, then those that had most. */
    private void shareRoom(List<Task> tasks) {
        int all = tasks.size();
        for (Assignee assignee : assignees) {
            all += assignee.actives;
            assignee.had = assignee.actives;
            assignee.inherits = 0;
        }
        for (Task task : tasks) {
            Assignee before = activeBefore.get(task);
            if (before != null) {
                before.had++;
            } else {
                standbysBefore.getOrDefault(task, List.of()).forEach(standby -> standby.inherits++);
            }
        }
        int each = all / assignees.size();
        int more = all % assignees.size();
        List<Assignee> order = new ArrayList<>(assignees);
        order.sort(Comparator.comparing((Assignee assignee) -> assignee.actives <= each)
                .thenComparing(assignee -> -assignee.had)
                .thenComparing(assignee -> -assignee.inherits));
        for (Assignee assignee : order) {
            assignee.room = more > 0 ? each + 1 : each;
            more--;
        }
    }

    private boolean toProcessOf(@Nullable Assignee before, Task task) {
        Assignee found = null;
        for (Assignee member : before == null ? List.<Assignee>of() : process(before).members) {
            if (member.actives < member.room && (found == null || member.actives < found.actives)) {
                found = member;
            }
        }
        if (found != null) {
            addActive(found, task);
        }
        return found != null;
    }

    private boolean toStandby(List<Assignee> before, Task task) {
        for (Assignee standby : before) {
            if (standby.actives < standby.room) {
                addActive(standby, task);
                return true;
            }
        }
        for (Assignee standby : before) {
            if (toProcessOf(standby, task)) {
                return true;
            }
        }
        return false;
    }

    private void addActive(Assignee assignee, Task task) {
        assignee.active.add(task.subtopology, task.partition);
        assignee.actives++;
        assignee.load++;
        process(assignee).tasks.add(task);
    }

    private Instance process(Assignee assignee) {
        Instance process = processes.get(assignee.processId);
        if (process == null) {
            throw new IllegalStateException("a member has no process");
        }
        return process;
    }

    // ---- standbys ----

    private void placeStandbys(List<Task> tasks, int standbys) {
        if (standbys <= 0) {
            return;
        }
        long all = (long) tasks.size() * standbys;
        for (Instance process : processes.values()) {
            all += process.tasks.size();
        }
        double share = Math.ceil((double) all / assignees.size());
        Map<Task, Integer> open = new LinkedHashMap<>();
        for (Task task : tasks) {
            open.put(task, standbys - keepStandbys(task, standbys, share));
        }
        TreeSet<Instance> idle =
                new TreeSet<>(Comparator.comparingDouble(Instance::load).thenComparingInt(process -> process.number));
        idle.addAll(processes.values());
        open.forEach((task, missing) -> {
            for (int left = missing; left > 0; left--) {
                addStandbyToIdlest(idle, task);
            }
        });
    }

    /** Returns how many it has kept. */
    private int keepStandbys(Task task, int standbys, double share) {
        int kept = 0;
        List<Assignee> holders = new ArrayList<>(standbysBefore.getOrDefault(task, List.of()));
        Assignee active = activeBefore.get(task);
        if (active != null) {
            holders.add(active);
        }
        for (Assignee holder : holders) {
            Instance process = process(holder);
            if (kept < standbys && process.load() < share && !process.tasks.contains(task)) {
                addStandby(process, holder.load < share ? holder : process.idlest(), task);
                kept++;
            }
        }
        return kept;
    }

    /** Adds it to the idlest process that has the task neither as active nor as standby. */
    private static void addStandbyToIdlest(SortedSet<Instance> idle, Task task) {
        Instance found = null;
        for (Instance process : idle) {
            if (!process.tasks.contains(task)) {
                found = process;
                break;
            }
        }
        if (found != null) {
            idle.remove(found); // its place changes with its load
            addStandby(found, found.idlest(), task);
            idle.add(found);
        }
    }

    private static void addStandby(Instance process, Assignee assignee, Task task) {
        assignee.standby.add(task.subtopology, task.partition);
        assignee.load++;
        process.tasks.add(task);
    }
}
