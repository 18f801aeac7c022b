package io.rivulet.broker.dynamic;

import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.GroupKey;
import io.rivulet.broker.config.LiveSettings;
import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.config.ShareGroupConfigs;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of share groups: their own values, or else those of the broker. What was concluded is kept until
 * one of these changes, so a request costs one or two look-ups. Thread-safe.
 */
public final class LiveShareGroups implements ShareGroupConfigs {
    /** A configuration, and what it was concluded from. */
    private record Concluded(LiveSettings settings, Map<String, String> own, ShareGroupConfig config) {
        @SuppressWarnings("ReferenceEquality") // a change makes a new object, and equal ones may be concluded twice
        boolean isOf(LiveSettings nowSettings, Map<String, String> nowOwn) {
            return settings == nowSettings && own == nowOwn;
        }
    }

    private static final Map<String, String> NONE = Map.of();

    /** No group has this id, so it has no values of its own. */
    private static final String NO_GROUP = "";

    private final LiveConfig live;
    /** Of groups with values of their own. */
    private final Map<String, Concluded> groups = new ConcurrentHashMap<>();

    private volatile @Nullable Concluded ofOthers;

    public LiveShareGroups(LiveConfig live) {
        this.live = live;
    }

    @Override
    public ShareGroupConfig of(String groupId) {
        LiveSettings settings = live.settings();
        Map<String, String> own = live.resources().of(new Resource(Resource.GROUP, groupId));
        if (own.isEmpty()) {
            groups.remove(groupId); // it may have had values
            return ofOthers(settings);
        }
        Concluded known = groups.get(groupId);
        if (known == null || !known.isOf(settings, own)) {
            known = new Concluded(settings, own, conclude(groupId));
            groups.put(groupId, known);
        }
        return known.config();
    }

    private ShareGroupConfig ofOthers(LiveSettings settings) {
        Concluded known = ofOthers;
        if (known == null || !known.isOf(settings, NONE)) {
            known = new Concluded(settings, NONE, conclude(NO_GROUP));
            ofOthers = known;
        }
        return known.config();
    }

    private ShareGroupConfig conclude(String groupId) {
        return ShareGroupConfig.of(new ShareGroupConfig.Values() {
            @Override
            public int number(GroupKey key) {
                return live.ofGroup(groupId, key);
            }

            @Override
            public String text(GroupKey key) {
                return live.textOfGroup(groupId, key);
            }

            @Override
            public String ofBroker(BrokerKey key) {
                return live.text(key).strip();
            }
        });
    }
}
