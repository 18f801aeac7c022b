package io.rivulet.broker.api.acl;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.DeleteAclsRequest;
import io.rivulet.protocol.message.DeleteAclsResponse;
import io.rivulet.protocol.message.DeleteAclsResponse.DeleteAclsFilterResult;

/** Deletes nothing, for the reason of {@link DescribeAclsHandler}. */
final class DeleteAclsHandler implements Handler<DeleteAclsRequest> {
    @Override
    public void handle(Call call, DeleteAclsRequest request) {
        call.answer(new DeleteAclsResponse()
                .filterResults(request.filters().stream()
                        .map(filter -> new DeleteAclsFilterResult()
                                .errorCode(DescribeAclsHandler.DISABLED)
                                .errorMessage(DescribeAclsHandler.REASON))
                        .toList()));
    }
}
