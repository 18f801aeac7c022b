package io.rivulet.broker.config;

import java.util.concurrent.TimeUnit;

/**
 * How the rates of clients are taken. Immutable.
 *
 * @param windows of all quotas but that of mutations
 */
public record QuotaSettings(Windows windows, Windows mutationWindows) {
    /** So many windows of this length. */
    public record Windows(int count, long millis) {}

    /** As the configuration of a broker says. */
    public static QuotaSettings of(BrokerConfig config) {
        ConfigValues values = config.values();
        return new QuotaSettings(
                windows(values, BrokerKey.QUOTA_WINDOW_NUM, BrokerKey.QUOTA_WINDOW_SIZE_SECONDS),
                windows(values, BrokerKey.CONTROLLER_QUOTA_WINDOW_NUM, BrokerKey.CONTROLLER_QUOTA_WINDOW_SIZE_SECONDS));
    }

    private static Windows windows(ConfigValues values, BrokerKey count, BrokerKey seconds) {
        return new Windows(values.integer(count), TimeUnit.SECONDS.toMillis(values.integer(seconds)));
    }
}
