package io.rivulet.broker.group.consumer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Each of the m subscribers of a topic gets a run of n / m partitions, the first n % m subscribers one more.
 * Subscribers are ordered by instance id, or else member id. So topics of the same size and subscribers are split
 * alike, and a static member that comes back gets the same run.
 */
final class RangeAssignor {
    private RangeAssignor() {}

    static void assign(List<Assignor.Assignee> assignees, List<QueueSet> topics) {
        List<Assignor.Assignee> ordered = new ArrayList<>(assignees);
        ordered.sort(Comparator.comparing(assignee -> assignee.member.staticOrOwnId()));
        List<QueueSet.Builder> given = new ArrayList<>();
        ordered.forEach(assignee -> given.add(new QueueSet.Builder()));
        for (QueueSet topic : topics) {
            cut(topic, ordered, given);
        }
        for (int i = 0; i < given.size(); i++) {
            ordered.get(i).queues = given.get(i).build();
        }
    }

    private static void cut(QueueSet topic, List<Assignor.Assignee> ordered, List<QueueSet.Builder> given) {
        List<QueueSet.Builder> subscribers = new ArrayList<>();
        int any = topic.anyQueue();
        for (int i = 0; i < given.size(); i++) {
            if (ordered.get(i).eligible.contains(any)) {
                subscribers.add(given.get(i));
            }
        }
        int number = subscribers.size();
        if (number == 0) {
            return;
        }
        int[] sizes = new int[number];
        for (int i = 0; i < number; i++) {
            sizes[i] = topic.size() / number + (i < topic.size() % number ? 1 : 0);
        }
        QueueSet[] runs = topic.split(sizes);
        for (int i = 0; i < number; i++) {
            subscribers.get(i).addAll(runs[i]);
        }
    }
}
