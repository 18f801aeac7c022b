package io.rivulet.broker.api.acl;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.CreateAclsRequest;
import io.rivulet.protocol.message.CreateAclsResponse;
import io.rivulet.protocol.message.CreateAclsResponse.AclCreationResult;

/** Creates nothing, for the reason of {@link DescribeAclsHandler}. */
final class CreateAclsHandler implements Handler<CreateAclsRequest> {
    @Override
    public void handle(Call call, CreateAclsRequest request) {
        call.answer(new CreateAclsResponse()
                .results(request.creations().stream()
                        .map(creation -> new AclCreationResult()
                                .errorCode(DescribeAclsHandler.DISABLED)
                                .errorMessage(DescribeAclsHandler.REASON))
                        .toList()));
    }
}
