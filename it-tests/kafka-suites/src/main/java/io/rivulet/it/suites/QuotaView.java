package io.rivulet.it.suites;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import kafka.server.QuotaFactory.QuotaManagers;
import org.apache.kafka.common.metrics.Quota;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.server.quota.ClientQuotaManager;
import org.apache.kafka.server.quota.ControllerMutationQuotaManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the quotas of a cluster to tests as Kafka's managers of quotas. The rules come from the cluster; which of them
 * wins is as Kafka documents it. Meters are not shown.
 */
final class QuotaView {
    private static final Quota NONE = Quota.upperBound((double) Long.MAX_VALUE);

    private QuotaView() {}

    static QuotaManagers of(RivuletCluster cluster) {
        ClientQuotaManager produce = manager(cluster, ClientQuotaManager.class, "producer_byte_rate");
        ClientQuotaManager fetch = manager(cluster, ClientQuotaManager.class, "consumer_byte_rate");
        ControllerMutationQuotaManager mutations =
                manager(cluster, ControllerMutationQuotaManager.class, "controller_mutation_rate");
        return Fakes.of(
                QuotaManagers.class,
                Map.of(
                        "produce", call -> produce,
                        "fetch", call -> fetch,
                        "controllerMutation", call -> mutations));
    }

    private static <T extends ClientQuotaManager> T manager(RivuletCluster cluster, Class<T> type, String key) {
        return Fakes.of(type, Map.of("quota", call -> {
            Object user = call.getArgument(0);
            String name = user instanceof KafkaPrincipal principal ? principal.getName() : user.toString();
            return quota(cluster, key, name, call.getArgument(1));
        }));
    }

    /** That of the most specific rule with the key. */
    private static Quota quota(RivuletCluster cluster, String key, String user, String clientId) {
        Map<Map<String, @Nullable String>, Map<String, Double>> rules = new HashMap<>();
        RivuletCluster.get(cluster.admin()
                        .describeClientQuotas(ClientQuotaFilter.all())
                        .entities())
                .forEach((entity, values) -> rules.put(entity.entries(), values));
        return Stream.of(
                        entity(user, clientId),
                        entity(user, null),
                        ofUser(user),
                        entity(null, clientId),
                        entity(null, null),
                        ofUser(null),
                        ofClient(clientId),
                        ofClient(null))
                .map(entity -> rules.getOrDefault(entity, Map.of()).get(key))
                .filter(Objects::nonNull)
                .findFirst()
                .map(Quota::upperBound)
                .orElse(NONE);
    }

    /** A name that is null is the default of all names. */
    private static Map<String, @Nullable String> entity(@Nullable String user, @Nullable String clientId) {
        Map<String, @Nullable String> entity = new HashMap<>();
        entity.put(ClientQuotaEntity.USER, user);
        entity.put(ClientQuotaEntity.CLIENT_ID, clientId);
        return entity;
    }

    private static Map<String, @Nullable String> ofUser(@Nullable String user) {
        Map<String, @Nullable String> entity = new HashMap<>();
        entity.put(ClientQuotaEntity.USER, user);
        return entity;
    }

    private static Map<String, @Nullable String> ofClient(@Nullable String clientId) {
        Map<String, @Nullable String> entity = new HashMap<>();
        entity.put(ClientQuotaEntity.CLIENT_ID, clientId);
        return entity;
    }
}
