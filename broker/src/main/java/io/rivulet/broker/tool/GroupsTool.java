package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.protocol.message.ListGroupsResponse.ListedGroup;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "groups", description = "List groups of every type, as kafka-groups.sh does.")
public final class GroupsTool extends DataTool {
    private static final Output.Table GROUPS = new Output.Table("%-40s %-10s %s%n", "", "group,type,protocol");

    @Option(names = "--list", required = true, description = "print groups; there is no other action")
    private boolean unusedList;

    @Option(names = "--consumer", description = "only groups of consumers")
    private boolean consumers;

    @Option(names = "--share", description = "only share groups")
    private boolean shares;

    @Option(names = "--group-type", paramLabel = "classic|consumer|share", description = "only groups of this type")
    private @Nullable String type;

    @Option(names = "--protocol", paramLabel = "name", description = "only groups with this protocol")
    private @Nullable String protocol;

    @Override
    void run(BrokerConnection broker, Output out) {
        List<ListedGroup> groups = ListedGroups.of(broker);
        out.printf(GROUPS.format(), "GROUP", "TYPE", "PROTOCOL");
        for (ListedGroup group : groups) {
            if (isWanted(group)) {
                out.row(GROUPS, group.groupId(), group.groupType(), group.protocolType());
            }
        }
    }

    private boolean isWanted(ListedGroup group) {
        String groupType = group.groupType().toLowerCase(Locale.ROOT);
        return (!consumers || group.protocolType().equals("consumer") || groupType.equals("consumer"))
                && (!shares || groupType.equals("share"))
                && (type == null || type.toLowerCase(Locale.ROOT).equals(groupType))
                && (protocol == null || protocol.equals(group.protocolType()));
    }
}
