package io.rivulet.broker.group.share;

import io.rivulet.broker.config.ShareGroupConfigs;
import io.rivulet.broker.config.ShareGroupSettings;

/** What share groups get from other rooms. Immutable; its parts are thread-safe. */
public record ShareParts(
        ShareGroupSettings settings, ShareGroupConfigs configs, ShareStates states, KnownShareGroups known) {}
