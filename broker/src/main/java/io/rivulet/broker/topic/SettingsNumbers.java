package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import java.util.Arrays;
import java.util.IdentityHashMap;

/**
 * A number for each of the settings that topics share. One thread gives numbers; who got one by a release and acquire may ask what it stands for.
 */
final class SettingsNumbers {
    private final IdentityHashMap<TopicSettings, Integer> numbers = new IdentityHashMap<>();
    /** Volatile, for a reader may come upon a longer one than that in which the number it was told of was given. */
    private volatile TopicSettings[] settings = new TopicSettings[1];

    int of(TopicSettings one) {
        Integer there = numbers.get(one);
        if (there != null) {
            return there;
        }
        int number = numbers.size();
        if (number == settings.length) {
            settings = Arrays.copyOf(settings, 2 * number);
        }
        settings[number] = one;
        numbers.put(one, number);
        return number;
    }

    TopicSettings of(int number) {
        return settings[number];
    }
}
