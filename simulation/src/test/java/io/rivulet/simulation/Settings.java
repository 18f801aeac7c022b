package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.SETTINGS_STAY;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sets, changes and removes numbers that have a name, one request at a time. Subclasses say what these are. */
abstract class Settings extends Client {
    static final String PREFIX = "set-";
    private static final int NAMES = 4;

    private final Map<String, Long> settled = new TreeMap<>();
    /** What they also may be, because a change has no answer. */
    private @Nullable Map<String, Long> perhaps;

    Settings(World world, String name) {
        super(world, name);
    }

    /**
     * Asks for a change.
     *
     * @param value null to remove it
     * @param answered gets the error code, or null if there is no answer
     */
    abstract void change(ClientConnection to, String setting, @Nullable Long value, Consumer<@Nullable Short> answered);

    /** Another value than before; null to remove it. */
    abstract @Nullable Long next(@Nullable Long before);

    /** All that there are, by name. */
    abstract Map<String, Long> read(Asking asking);

    @Override
    void connected() {}

    @Override
    void act(ClientConnection to) {
        if (to.inFlight() > 0 || perhaps != null) {
            return; // after a change without an answer it waits for the next verification
        }
        String setting = PREFIX + random.nextInt(NAMES);
        Long before = settled.get(setting);
        Long value = before != null && random.nextInt(3) == 0 ? null : next(before);
        Map<String, Long> after = new TreeMap<>(settled);
        if (value == null) {
            after.remove(setting);
        } else {
            after.put(setting, value);
        }
        perhaps = after;
        change(to, setting, value, error -> {
            if (error != null) {
                SETTINGS_STAY.require(error == 0, "%s: error %s of a change of %s", name, error, setting);
                settle(after);
            }
        });
    }

    private void settle(Map<String, Long> now) {
        perhaps = null;
        settled.clear();
        settled.putAll(now);
    }

    @Override
    public void verify(Asking asking) {
        Map<String, Long> found = read(asking);
        SETTINGS_STAY.require(
                found.equals(settled) || Objects.equals(found, perhaps),
                "%s: there are %s, not %s or %s",
                name,
                found,
                settled,
                perhaps);
        settle(new TreeMap<>(found));
    }
}
