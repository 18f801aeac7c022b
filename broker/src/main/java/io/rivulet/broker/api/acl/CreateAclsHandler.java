package io.rivulet.broker.api.acl;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.acl.Rule;
import io.rivulet.broker.acl.RuleList;
import io.rivulet.broker.acl.Rules;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.CreateAclsRequest;
import io.rivulet.protocol.message.CreateAclsRequest.AclCreation;
import io.rivulet.protocol.message.CreateAclsResponse;
import io.rivulet.protocol.message.CreateAclsResponse.AclCreationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Creates rules. One that exists already stays as it is. Each has a result of its own. */
record CreateAclsHandler(ApiParts parts, Rules rules) implements Handler<CreateAclsRequest> {
    @Override
    public void handle(Call call, CreateAclsRequest request) {
        if (!call.access().mayCluster(Operation.ALTER)) {
            call.answer(refuse(request, ErrorCode.CLUSTER_AUTHORIZATION_FAILED, AclText.NOT_ALLOWED));
            return;
        }
        RuleList before = rules.list();
        List<AclCreationResult> results = new ArrayList<>(request.creations().size());
        List<Rule> added = new ArrayList<>();
        List<AclCreationResult> ofAdded = new ArrayList<>();
        for (AclCreation creation : request.creations()) {
            AclCreationResult result = new AclCreationResult();
            results.add(result);
            try {
                Rule rule = AclText.rule(creation);
                if (!before.has(rule)) {
                    added.add(rule);
                    ofAdded.add(result);
                }
            } catch (RefusedException e) {
                refuse(result, e);
            }
        }
        List<CompletableFuture<Void>> changes = new ArrayList<>();
        int from = 0;
        for (List<Rule> part : Rules.parts(added)) {
            List<AclCreationResult> ofPart = ofAdded.subList(from, from + part.size());
            from += part.size();
            changes.add(Futures.attempt(
                    () -> rules.add(parts.store(), part),
                    refused -> ofPart.forEach(result -> refuse(result, refused))));
        }
        Futures.whenAllEnded(
                changes,
                () -> parts.longAnswers().answer(call, new CreateAclsResponse().results(results), results.size()));
    }

    private static void refuse(AclCreationResult result, RefusedException reason) {
        result.errorCode(reason.code().code()).errorMessage(reason.getMessage());
    }

    static CreateAclsResponse refuse(CreateAclsRequest request, ErrorCode error, String reason) {
        return new CreateAclsResponse()
                .results(request.creations().stream()
                        .map(creation ->
                                new AclCreationResult().errorCode(error.code()).errorMessage(reason))
                        .toList());
    }
}
