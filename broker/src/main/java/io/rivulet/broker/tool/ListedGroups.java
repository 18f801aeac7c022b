package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.message.ListGroupsResponse.ListedGroup;
import java.util.List;

/** The groups that a broker lists, for the tools of all kinds of groups. */
final class ListedGroups {
    private ListedGroups() {}

    /** @param types of the groups; none for all groups */
    static List<ListedGroup> of(BrokerConnection broker, String... types) {
        ListGroupsResponse response = broker.ask(
                ApiKey.LIST_GROUPS, new ListGroupsRequest().typesFilter(List.of(types)), ListGroupsResponse.class);
        ClientException.require(response.errorCode(), null, "listing groups");
        return response.groups();
    }
}
