package io.rivulet.broker.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.group.base.Group;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.message.ListGroupsResponse.ListedGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists the groups that a client may describe, in slices. A group that is added or deleted meanwhile may be listed or
 * not.
 *
 * <p>Owned by: the coordinator thread.
 */
final class GroupListing implements LongQuestions.Question<ListGroupsResponse> {
    private static final int GROUPS_PER_SLICE = 1000;

    private final Access access;
    private final boolean mayListAll;
    private final GroupTable table;
    private final Function<GroupSlot, Group> groups;
    private final Set<String> states;
    private final Set<String> types;
    private final List<ListedGroup> listed = new ArrayList<>();
    private @Nullable List<String> ids;
    private int next;

    GroupListing(ListGroupsRequest request, Access access, GroupTable table, Function<GroupSlot, Group> groups) {
        this.access = access;
        this.mayListAll = access.mayCluster(Operation.DESCRIBE);
        this.table = table;
        this.groups = groups;
        this.states = lowerCase(request.statesFilter());
        this.types = lowerCase(request.typesFilter());
    }

    private static Set<String> lowerCase(List<String> names) {
        Set<String> lower = new HashSet<>();
        names.forEach(name -> lower.add(name.toLowerCase(Locale.ROOT)));
        return lower;
    }

    @Override
    public long parts() {
        return table.size();
    }

    @Override
    public boolean goOn() {
        List<String> all = ids == null ? table.ids() : ids;
        ids = all;
        for (int end = Math.min(all.size(), next + GROUPS_PER_SLICE); next < end; next++) {
            GroupSlot slot = table.find(all.get(next));
            if (slot != null) {
                list(slot, groups.apply(slot));
            }
        }
        return next < all.size();
    }

    private void list(GroupSlot slot, Group group) {
        boolean mayList = mayListAll || access.mayGroup(Operation.DESCRIBE, slot.id);
        if (mayList && isIn(states, group.stateName()) && isIn(types, group.type())) {
            listed.add(new ListedGroup()
                    .groupId(slot.id)
                    .protocolType(group.protocolType())
                    .groupState(group.stateName())
                    .groupType(group.type()));
        }
    }

    private static boolean isIn(Set<String> wanted, String name) {
        return wanted.isEmpty() || wanted.contains(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public ListGroupsResponse answer() {
        return new ListGroupsResponse().groups(listed);
    }
}
