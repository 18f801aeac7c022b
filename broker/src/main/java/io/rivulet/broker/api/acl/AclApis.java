package io.rivulet.broker.api.acl;

import io.rivulet.broker.acl.Rules;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Route;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of access control lists. */
public final class AclApis {
    private AclApis() {}

    public static List<Route> routes(ApiParts parts, Rules rules) {
        if (!parts.config().access().isOn()) {
            return List.of(
                    Route.of(ApiKey.DESCRIBE_ACLS, WithoutAuthorizer::describe),
                    Route.of(ApiKey.CREATE_ACLS, WithoutAuthorizer::create),
                    Route.of(ApiKey.DELETE_ACLS, WithoutAuthorizer::delete));
        }
        return List.of(
                Route.of(ApiKey.DESCRIBE_ACLS, new DescribeAclsHandler(parts, rules)),
                Route.of(ApiKey.CREATE_ACLS, new CreateAclsHandler(parts, rules)),
                Route.of(ApiKey.DELETE_ACLS, new DeleteAclsHandler(parts, rules)));
    }
}
