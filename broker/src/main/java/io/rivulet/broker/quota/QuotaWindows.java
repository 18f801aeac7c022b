package io.rivulet.broker.quota;

import io.rivulet.broker.config.QuotaSettings;

/** The time over which a rate is taken: so many windows. Immutable. */
record QuotaWindows(int count, long windowMillis) {
    static QuotaWindows of(QuotaSettings.Windows settings) {
        return new QuotaWindows(settings.count(), settings.millis());
    }

    long spanMillis() {
        return count * windowMillis;
    }
}
