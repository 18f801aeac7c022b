package io.rivulet.broker.api.quota;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.DescribeClientQuotasRequest;
import io.rivulet.protocol.message.DescribeClientQuotasResponse;
import io.rivulet.protocol.message.DescribeClientQuotasResponse.EntityData;
import io.rivulet.protocol.message.DescribeClientQuotasResponse.EntryData;
import io.rivulet.protocol.message.DescribeClientQuotasResponse.ValueData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes the limits of the entities that match a filter. */
record DescribeClientQuotasHandler(ApiParts parts) implements Handler<DescribeClientQuotasRequest> {
    @Override
    public void handle(Call call, DescribeClientQuotasRequest request) {
        QuotaFilter filter;
        try {
            if (!call.access().mayCluster(Operation.DESCRIBE_CONFIGS)) {
                throw new RefusedException(
                        ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client has no right to do this");
            }
            filter = QuotaFilter.of(request);
        } catch (RefusedException e) {
            call.answer(new DescribeClientQuotasResponse()
                    .errorCode(e.code().code())
                    .errorMessage(e.getMessage())
                    .entries(null));
            return;
        }
        List<EntryData> entries = new ArrayList<>();
        parts.quotas().forEach((entity, limits) -> {
            Map<String, @Nullable String> names = entity.names();
            if (filter.matches(names)) {
                List<ValueData> values = new ArrayList<>();
                limits.forEach((kind, limit) ->
                        values.add(new ValueData().key(kind.key()).value(limit)));
                entries.add(new EntryData().entity(entity(names)).values(values));
            }
        });
        parts.longAnswers()
                .answer(
                        call,
                        new DescribeClientQuotasResponse().errorMessage(null).entries(entries),
                        entries.size());
    }

    private static List<EntityData> entity(Map<String, @Nullable String> names) {
        List<EntityData> entity = new ArrayList<>();
        names.forEach(
                (type, name) -> entity.add(new EntityData().entityType(type).entityName(name)));
        return entity;
    }
}
