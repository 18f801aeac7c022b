package io.rivulet.broker.api.acl;

import io.rivulet.broker.call.Route;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of access control lists. */
public final class AclApis {
    private AclApis() {}

    public static List<Route> routes() {
        return List.of(
                Route.of(ApiKey.DESCRIBE_ACLS, new DescribeAclsHandler()),
                Route.of(ApiKey.CREATE_ACLS, new CreateAclsHandler()),
                Route.of(ApiKey.DELETE_ACLS, new DeleteAclsHandler()));
    }
}
