package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.SETTINGS_STAY;

import io.rivulet.protocol.message.AlterClientQuotasRequest;
import io.rivulet.protocol.message.AlterClientQuotasRequest.EntityData;
import io.rivulet.protocol.message.AlterClientQuotasRequest.EntryData;
import io.rivulet.protocol.message.AlterClientQuotasRequest.OpData;
import io.rivulet.protocol.message.AlterClientQuotasResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeClientQuotasRequest;
import io.rivulet.protocol.message.DescribeClientQuotasResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Quotas of users, of whom none is connected. */
final class Quotas extends Settings {
    private static final String KEY = "consumer_byte_rate";

    Quotas(World world, String name) {
        super(world, name);
    }

    @Override
    void change(ClientConnection to, String user, @Nullable Long value, Consumer<@Nullable Short> answered) {
        OpData change = new OpData().key(KEY).remove(value == null);
        AlterClientQuotasRequest request = new AlterClientQuotasRequest()
                .entries(List.of(new EntryData()
                        .entity(List.of(new EntityData().entityType("user").entityName(user)))
                        .ops(List.of(value == null ? change : change.value(value)))));
        to.ask(
                ApiKey.ALTER_CLIENT_QUOTAS,
                1,
                request,
                AlterClientQuotasResponse.class,
                answer -> answered.accept(
                        answer == null ? null : answer.entries().get(0).errorCode()));
    }

    @Override
    Long next(@Nullable Long before) {
        return 1L + random.nextInt(1_000_000);
    }

    @Override
    Map<String, Long> read(Asking asking) {
        DescribeClientQuotasResponse answer = asking.ask(
                ApiKey.DESCRIBE_CLIENT_QUOTAS,
                1,
                new DescribeClientQuotasRequest(),
                DescribeClientQuotasResponse.class);
        SETTINGS_STAY.require(answer.errorCode() == 0, "%s: error %s", name, answer.errorCode());
        Map<String, Long> found = new TreeMap<>();
        Objects.requireNonNull(answer.entries())
                .forEach(entry -> found.put(String.valueOf(entry.entity().get(0).entityName()), (long)
                        entry.values().get(0).value()));
        return found;
    }
}
