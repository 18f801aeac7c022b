package io.rivulet.broker.api;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.CreateAclsRequest;
import io.rivulet.protocol.message.CreateAclsResponse;
import io.rivulet.protocol.message.CreateAclsResponse.AclCreationResult;
import io.rivulet.protocol.message.DeleteAclsRequest;
import io.rivulet.protocol.message.DeleteAclsResponse;
import io.rivulet.protocol.message.DeleteAclsResponse.DeleteAclsFilterResult;
import io.rivulet.protocol.message.DescribeAclsResponse;

/**
 * Says what a Kafka says that has no authorizer: there are no access control lists. Applications such as MirrorMaker ask, and go on without
 * them; that the API is missing they don't expect.
 */
public final class AclHandler {
    private static final short DISABLED = ErrorCode.SECURITY_DISABLED.code();
    private static final String WHY = "no authorizer is configured on the broker";

    void describe(Call call) {
        call.answer(new DescribeAclsResponse().errorCode(DISABLED).errorMessage(WHY));
    }

    void create(Call call, CreateAclsRequest request) {
        call.answer(new CreateAclsResponse()
                .results(request.creations().stream()
                        .map(creation ->
                                new AclCreationResult().errorCode(DISABLED).errorMessage(WHY))
                        .toList()));
    }

    void delete(Call call, DeleteAclsRequest request) {
        call.answer(new DeleteAclsResponse()
                .filterResults(request.filters().stream()
                        .map(filter ->
                                new DeleteAclsFilterResult().errorCode(DISABLED).errorMessage(WHY))
                        .toList()));
    }
}
