package io.rivulet.broker.api.acl;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.CreateAclsRequest;
import io.rivulet.protocol.message.DeleteAclsRequest;
import io.rivulet.protocol.message.DescribeAclsRequest;

/**
 * Answers that access control is disabled, as Kafka without an authorizer does. Applications such as MirrorMaker
 * continue after this answer, but not if the API is missing. Stateless.
 */
final class WithoutAuthorizer {
    private static final String REASON = "no authorizer is configured on the broker";

    private WithoutAuthorizer() {}

    static void describe(Call call, DescribeAclsRequest request) {
        call.answer(DescribeAclsHandler.refuse(ErrorCode.SECURITY_DISABLED, REASON));
    }

    static void create(Call call, CreateAclsRequest request) {
        call.answer(CreateAclsHandler.refuse(request, ErrorCode.SECURITY_DISABLED, REASON));
    }

    static void delete(Call call, DeleteAclsRequest request) {
        call.answer(DeleteAclsHandler.refuse(request, ErrorCode.SECURITY_DISABLED, REASON));
    }
}
