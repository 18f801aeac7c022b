package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeAclsRequest;
import io.rivulet.protocol.message.DescribeAclsResponse;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

@Command(
        name = "acls",
        description = {
            "List access control lists, as kafka-acls.sh does.",
            "Without an authorizer, the broker refuses every request about them.",
        })
public final class AclsTool extends DataTool {
    private static final Output.Table LISTS =
            new Output.Table("%s: principal=%s, host=%s%n", "", "resource,principal,host");
    private static final byte ANY = 1;

    /** Picocli makes sure that exactly one is given. */
    @SuppressWarnings("UnusedVariable")
    private static final class Action {
        @Option(names = "--list", description = "print the lists")
        private boolean list;

        @Option(names = "--add", description = "add to the lists")
        private boolean add;

        @Option(names = "--remove", description = "remove from the lists")
        private boolean remove;
    }

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @Unmatched
    private List<String> unusedFilters = new ArrayList<>();

    @Override
    void run(BrokerConnection broker, Output out) {
        DescribeAclsResponse response = broker.ask(
                ApiKey.DESCRIBE_ACLS,
                new DescribeAclsRequest()
                        .resourceTypeFilter(ANY)
                        .patternTypeFilter(ANY)
                        .resourceNameFilter(null)
                        .principalFilter(null)
                        .hostFilter(null)
                        .operation(ANY)
                        .permissionType(ANY),
                DescribeAclsResponse.class);
        ClientException.require(response.errorCode(), response.errorMessage(), "asking for access control lists");
        if (!action.list) {
            throw misused("only --list is served");
        }
        response.resources()
                .forEach(resource -> resource.acls()
                        .forEach(acl -> out.row(LISTS, resource.resourceName(), acl.principal(), acl.host())));
    }
}
