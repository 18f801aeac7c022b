package io.rivulet.broker.config;

/**
 * Which replication factors a new topic may ask for. No topic keeps its own: all are shown with the default one, as far
 * as there are brokers. Immutable.
 *
 * @param byDefault the factor of a topic that asks for none
 * @param acceptAny whether more replicas than there are brokers are accepted
 */
public record ReplicationFactors(int byDefault, boolean acceptAny) {
    static ReplicationFactors of(ConfigValues values) {
        return new ReplicationFactors(
                values.integer(BrokerKey.DEFAULT_REPLICATION_FACTOR),
                values.text(BrokerKey.REPLICATION_FACTOR_MAX).equals("accept"));
    }

    /** @param brokers those that are alive */
    public boolean allow(int factor, int brokers) {
        return factor >= 1 && (factor <= brokers || acceptAny);
    }
}
