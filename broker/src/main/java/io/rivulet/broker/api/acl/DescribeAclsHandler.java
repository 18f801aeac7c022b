package io.rivulet.broker.api.acl;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.DescribeAclsRequest;
import io.rivulet.protocol.message.DescribeAclsResponse;

/**
 * Answers that access control is disabled, as Kafka without an authorizer does. Applications such as MirrorMaker
 * continue after this answer, but not if the API is missing.
 */
final class DescribeAclsHandler implements Handler<DescribeAclsRequest> {
    static final short DISABLED = ErrorCode.SECURITY_DISABLED.code();
    static final String REASON = "no authorizer is configured on the broker";

    @Override
    public void handle(Call call, DescribeAclsRequest request) {
        call.answer(new DescribeAclsResponse().errorCode(DISABLED).errorMessage(REASON));
    }
}
