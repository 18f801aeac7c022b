package io.rivulet.broker.api.quota;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.MapText;
import io.rivulet.broker.quota.QuotaChange;
import io.rivulet.broker.quota.QuotaEntity;
import io.rivulet.protocol.message.AlterClientQuotasRequest;
import io.rivulet.protocol.message.AlterClientQuotasRequest.OpData;
import io.rivulet.protocol.message.AlterClientQuotasResponse;
import io.rivulet.protocol.message.AlterClientQuotasResponse.EntityData;
import io.rivulet.protocol.message.AlterClientQuotasResponse.EntryData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sets or removes limits. The valid changes of a request are durable together; each of the others is refused. */
record AlterClientQuotasHandler(ApiParts parts) implements Handler<AlterClientQuotasRequest> {
    @Override
    public void handle(Call call, AlterClientQuotasRequest request) {
        Map<String, EntryData> answers = new LinkedHashMap<>();
        List<QuotaChange> changes = new ArrayList<>();
        List<EntryData> changed = new ArrayList<>();
        boolean mayAlter = call.access().mayCluster(Operation.ALTER_CONFIGS);
        for (AlterClientQuotasRequest.EntryData wanted : request.entries()) {
            Map<String, @Nullable String> names = names(wanted);
            String key = MapText.of(names);
            EntryData earlier = answers.get(key);
            EntryData answer = earlier == null ? answer(names) : earlier;
            answers.put(key, answer);
            try {
                requireRight(mayAlter);
                if (earlier != null) {
                    throw invalid("the entity is in the request more than once");
                }
                changes.add(QuotaChange.of(QuotaEntity.of(names), limits(wanted)));
                changed.add(answer);
            } catch (RefusedException e) {
                refuse(answer, e);
            }
        }
        CompletableFuture<?> ended = request.validateOnly() || changes.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : Futures.attempt(
                        () -> parts.quotas().change(parts.store(), changes),
                        refusal -> changed.forEach(answer -> refuse(answer, refusal)));
        Futures.whenAllEnded(
                List.of(ended),
                () -> call.answer(new AlterClientQuotasResponse().entries(List.copyOf(answers.values()))));
    }

    private static void requireRight(boolean hasIt) {
        if (!hasIt) {
            throw new RefusedException(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client has no right to do this");
        }
    }

    private static Map<String, @Nullable String> names(AlterClientQuotasRequest.EntryData wanted) {
        Map<String, @Nullable String> names = new LinkedHashMap<>();
        wanted.entity().forEach(entity -> names.put(entity.entityType(), entity.entityName()));
        return names;
    }

    private static EntryData answer(Map<String, @Nullable String> names) {
        List<EntityData> entity = new ArrayList<>();
        names.forEach(
                (type, name) -> entity.add(new EntityData().entityType(type).entityName(name)));
        return new EntryData().entity(entity).errorMessage(null);
    }

    private static Map<String, @Nullable Double> limits(AlterClientQuotasRequest.EntryData wanted) {
        Map<String, @Nullable Double> limits = new HashMap<>();
        for (OpData op : wanted.ops()) {
            if (limits.containsKey(op.key())) {
                throw invalid("quota key " + op.key() + " is in the request more than once");
            }
            limits.put(op.key(), op.remove() ? null : Double.valueOf(op.value()));
        }
        return limits;
    }

    private static RefusedException invalid(String message) {
        return new RefusedException(ErrorCode.INVALID_REQUEST, message);
    }

    private static void refuse(EntryData answer, RefusedException refusal) {
        answer.errorCode(refusal.code().code()).errorMessage(refusal.getMessage());
    }
}
