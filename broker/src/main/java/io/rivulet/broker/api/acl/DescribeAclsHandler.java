package io.rivulet.broker.api.acl;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.acl.PatternType;
import io.rivulet.broker.acl.Rule;
import io.rivulet.broker.acl.RuleFilter;
import io.rivulet.broker.acl.RuleList;
import io.rivulet.broker.acl.Rules;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.DescribeAclsRequest;
import io.rivulet.protocol.message.DescribeAclsResponse;
import io.rivulet.protocol.message.DescribeAclsResponse.AclDescription;
import io.rivulet.protocol.message.DescribeAclsResponse.DescribeAclsResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lists rules, resource by resource. If there are many rules, a read thread looks for them. */
record DescribeAclsHandler(ApiParts parts, Rules rules) implements Handler<DescribeAclsRequest> {
    /** The heap of a rule in an answer. */
    private static final long RULE_BYTES = 250;

    private record Pattern(ResourceType type, String name, PatternType pattern) {}

    @Override
    public void handle(Call call, DescribeAclsRequest request) {
        if (!call.access().mayCluster(Operation.DESCRIBE)) {
            call.answer(refuse(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, AclText.NOT_ALLOWED));
            return;
        }
        RuleFilter filter;
        try {
            filter = AclText.filter(request);
        } catch (RefusedException e) {
            call.answer(refuse(e.code(), String.valueOf(e.getMessage())));
            return;
        }
        RuleList all = rules.list();
        if (all.size() <= LongAnswers.SHORT_PARTS) {
            call.answer(answer(all, filter));
        } else {
            parts.longAnswers().make(call, all.size() * RULE_BYTES, reader -> answer(all, filter));
        }
    }

    static DescribeAclsResponse refuse(ErrorCode error, String reason) {
        return new DescribeAclsResponse().errorCode(error.code()).errorMessage(reason);
    }

    private static DescribeAclsResponse answer(RuleList rules, RuleFilter filter) {
        Map<Pattern, List<AclDescription>> byPattern = new LinkedHashMap<>();
        for (Rule rule : rules.matching(filter, Integer.MAX_VALUE)) {
            byPattern
                    .computeIfAbsent(
                            new Pattern(rule.type(), rule.name(), rule.pattern()), pattern -> new ArrayList<>(1))
                    .add(new AclDescription()
                            .principal(rule.principal())
                            .host(rule.host())
                            .operation(rule.operation().code())
                            .permissionType(rule.effect().code()));
        }
        List<DescribeAclsResource> resources = new ArrayList<>(byPattern.size());
        byPattern.forEach((pattern, acls) -> resources.add(new DescribeAclsResource()
                .resourceType(pattern.type.code())
                .resourceName(pattern.name)
                .patternType(pattern.pattern.code())
                .acls(acls)));
        return new DescribeAclsResponse().resources(resources);
    }
}
