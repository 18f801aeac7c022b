package io.rivulet.broker.config;

/**
 * Which replication factors a new topic may ask for. Each topic has one replica, whatever it asks for. Immutable.
 *
 * @param byDefault the factor of a topic that asks for none
 * @param acceptAny whether more replicas than one are accepted
 */
public record ReplicationFactors(int byDefault, boolean acceptAny) {
    static ReplicationFactors of(ConfigValues values) {
        return new ReplicationFactors(
                values.integer(BrokerKey.DEFAULT_REPLICATION_FACTOR),
                values.text(BrokerKey.REPLICATION_FACTOR_MAX).equals("accept"));
    }

    public boolean allow(int factor) {
        return factor == 1 || (factor > 1 && acceptAny);
    }
}
