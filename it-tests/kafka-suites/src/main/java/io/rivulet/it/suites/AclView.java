package io.rivulet.it.suites;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DeleteAclsResult.FilterResults;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.AclDeleteResult.AclBindingDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;

/**
 * Shows the rules of a cluster to tests as Kafka's authorizer. It is a client of Rivulet.
 *
 * <p>Some tests give their principals a type of their own. Rivulet has users only, so their rules are for users of the
 * same names. Owned by: the thread of the test.
 */
final class AclView implements Authorizer {
    private static final String USER = "User:";

    private final Admin admin;
    private final String type;

    /** @param type of the principals of the test */
    AclView(Admin admin, String type) {
        this.admin = admin;
        this.type = type + ":";
    }

    @Override
    public List<? extends CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext context, List<AclBinding> bindings) {
        List<CompletableFuture<AclCreateResult>> results = new ArrayList<>();
        for (AclBinding binding : bindings) {
            KafkaFuture<Void> created =
                    admin.createAcls(List.of(renamed(binding, type, USER))).all();
            results.add(created.toCompletionStage()
                    .handle((none, error) ->
                            error == null ? AclCreateResult.SUCCESS : new AclCreateResult(cause(error)))
                    .toCompletableFuture());
        }
        return results;
    }

    @Override
    public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext context, List<AclBindingFilter> filters) {
        List<CompletableFuture<AclDeleteResult>> results = new ArrayList<>();
        for (AclBindingFilter wanted : filters) {
            AclBindingFilter filter = renamed(wanted);
            KafkaFuture<FilterResults> deleted = Objects.requireNonNull(
                    admin.deleteAcls(List.of(filter)).values().get(filter));
            results.add(deleted.toCompletionStage()
                    .handle((found, error) -> error == null ? deleted(found) : new AclDeleteResult(cause(error)))
                    .toCompletableFuture());
        }
        return results;
    }

    private AclDeleteResult deleted(FilterResults results) {
        return new AclDeleteResult(results.values().stream()
                .map(one -> new AclBindingDeleteResult(renamed(one.binding(), USER, type)))
                .toList());
    }

    private static ApiException cause(Throwable error) {
        Throwable cause =
                error instanceof ExecutionException || error instanceof CompletionException ? error.getCause() : error;
        return cause instanceof ApiException known ? known : new ApiException(cause);
    }

    @Override
    public Iterable<AclBinding> acls(AclBindingFilter filter) {
        return RivuletCluster.get(admin.describeAcls(renamed(filter)).values()).stream()
                .map(binding -> renamed(binding, USER, type))
                .collect(Collectors.toSet());
    }

    private AclBindingFilter renamed(AclBindingFilter filter) {
        AccessControlEntryFilter entry = filter.entryFilter();
        String principal = entry.principal();
        if (principal == null || !principal.startsWith(type)) {
            return filter;
        }
        return new AclBindingFilter(
                filter.patternFilter(),
                new AccessControlEntryFilter(
                        USER + principal.substring(type.length()),
                        entry.host(),
                        entry.operation(),
                        entry.permissionType()));
    }

    private static AclBinding renamed(AclBinding binding, String from, String to) {
        AccessControlEntry entry = binding.entry();
        if (from.equals(to) || !entry.principal().startsWith(from)) {
            return binding;
        }
        String principal = to + entry.principal().substring(from.length());
        return new AclBinding(
                binding.pattern(),
                new AccessControlEntry(principal, entry.host(), entry.operation(), entry.permissionType()));
    }

    @Override
    public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo info) {
        throw new UsesInternals("Authorizer.start");
    }

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext context, List<Action> actions) {
        throw new UsesInternals("Authorizer.authorize");
    }

    @Override
    public void configure(Map<String, ?> configs) {
        throw new UsesInternals("Authorizer.configure");
    }

    @Override
    public void close() {
        // The cluster closes the client.
    }
}
