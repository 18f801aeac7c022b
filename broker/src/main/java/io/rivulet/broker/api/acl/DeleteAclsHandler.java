package io.rivulet.broker.api.acl;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.acl.Rule;
import io.rivulet.broker.acl.RuleFilter;
import io.rivulet.broker.acl.RuleList;
import io.rivulet.broker.acl.Rules;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.DeleteAclsRequest;
import io.rivulet.protocol.message.DeleteAclsRequest.DeleteAclsFilter;
import io.rivulet.protocol.message.DeleteAclsResponse;
import io.rivulet.protocol.message.DeleteAclsResponse.DeleteAclsFilterResult;
import io.rivulet.protocol.message.DeleteAclsResponse.DeleteAclsMatchingAcl;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Deletes the rules that filters match, and lists them by filter. If that is much work, read threads look for them, one
 * filter after the other.
 */
record DeleteAclsHandler(ApiParts parts, Rules rules) implements Handler<DeleteAclsRequest> {
    /** Filters that match the same rules list them again, up to so many more than there are. */
    private static final int MOST_REPEATED = 10_000;

    @Override
    public void handle(Call call, DeleteAclsRequest request) {
        if (!call.access().mayCluster(Operation.ALTER)) {
            call.answer(refuse(request, ErrorCode.CLUSTER_AUTHORIZATION_FAILED, AclText.NOT_ALLOWED));
            return;
        }
        Deletion deletion = new Deletion(call, request, rules.list());
        int filters = request.filters().size();
        if ((long) filters * deletion.all.size() <= LongAnswers.SHORT_PARTS) {
            deletion.find(0, filters);
            deletion.delete();
        } else {
            parts.readers()
                    .read(
                            call,
                            reader -> Futures.inParts(
                                    filters, 1, parts.longAnswers().parts(), deletion::find, deletion::delete));
        }
    }

    static DeleteAclsResponse refuse(DeleteAclsRequest request, ErrorCode error, String reason) {
        return new DeleteAclsResponse()
                .filterResults(request.filters().stream()
                        .map(filter -> new DeleteAclsFilterResult()
                                .errorCode(error.code())
                                .errorMessage(reason))
                        .toList());
    }

    /** One request. Owned by one thread at a time. */
    private final class Deletion {
        private final Call call;
        private final DeleteAclsRequest request;
        private final RuleList all;
        private final List<DeleteAclsFilterResult> results = new ArrayList<>();
        private final Set<Rule> deleted = new LinkedHashSet<>();
        private int mayList;

        Deletion(Call call, DeleteAclsRequest request, RuleList all) {
            this.call = call;
            this.request = request;
            this.all = all;
            this.mayList = all.size() + MOST_REPEATED;
        }

        CompletableFuture<Void> find(int from, int to) {
            for (DeleteAclsFilter filter : request.filters().subList(from, to)) {
                DeleteAclsFilterResult result = new DeleteAclsFilterResult();
                results.add(result);
                try {
                    find(AclText.filter(filter), result);
                } catch (RefusedException e) {
                    refuse(result, e);
                }
            }
            return CompletableFuture.completedFuture(null);
        }

        private void find(RuleFilter filter, DeleteAclsFilterResult result) {
            List<Rule> found = all.matching(filter, mayList + 1);
            if (found.size() > mayList) {
                throw new RefusedException(
                        ErrorCode.INVALID_REQUEST,
                        "the filters of a request match the same rules too often; delete them with fewer filters");
            }
            mayList -= found.size();
            deleted.addAll(found);
            result.matchingAcls(found.stream().map(Deletion::listed).toList());
        }

        private static DeleteAclsMatchingAcl listed(Rule rule) {
            return new DeleteAclsMatchingAcl()
                    .resourceType(rule.type().code())
                    .resourceName(rule.name())
                    .patternType(rule.pattern().code())
                    .principal(rule.principal())
                    .host(rule.host())
                    .operation(rule.operation().code())
                    .permissionType(rule.effect().code());
        }

        void delete() {
            List<CompletableFuture<Void>> changes = Rules.parts(new ArrayList<>(deleted)).stream()
                    .map(part -> Futures.attempt(() -> rules.remove(parts.store(), part), this::refuseAll))
                    .toList();
            Futures.whenAllEnded(
                    changes,
                    () -> parts.longAnswers()
                            .answer(
                                    call,
                                    new DeleteAclsResponse().filterResults(results),
                                    results.size() + deleted.size()));
        }

        /** Some rules may be deleted, others not: the client asks again. */
        private void refuseAll(RefusedException reason) {
            results.forEach(result -> refuse(result, reason));
        }

        private static void refuse(DeleteAclsFilterResult result, RefusedException reason) {
            result.errorCode(reason.code().code())
                    .errorMessage(reason.getMessage())
                    .matchingAcls(List.of());
        }
    }
}
