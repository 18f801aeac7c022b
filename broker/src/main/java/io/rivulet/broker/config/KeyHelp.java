package io.rivulet.broker.config;

import io.rivulet.broker.json.JsonText;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The help text of a key. Immutable.
 *
 * @param defaultText the default in words, or null if the default is the same everywhere
 * @param atLimit what happens when the limit is reached, or null if the key is no limit
 * @param shownBy the metric or log line that shows it; may be empty
 */
record KeyHelp(
        BrokerKey key,
        List<String> text,
        @Nullable String defaultText,
        @Nullable String atLimit,
        String shownBy) {
    private static final String DEFAULT = "default: ";
    private static final String LIMIT = "limit: ";
    private static final long MIB = 1 << 20;
    private static final long MINUTE_MILLIS = 60_000;
    private static final long DAY_MILLIS = 24 * 60 * MINUTE_MILLIS;

    /** @param lines the text, then perhaps {@code default: words} and {@code limit: what happens || what shows it} */
    static KeyHelp parse(BrokerKey key, List<String> lines) {
        List<String> text = lines.stream()
                .filter(line -> !line.startsWith(DEFAULT) && !line.startsWith(LIMIT))
                .toList();
        String[] limit = String.valueOf(value(lines, LIMIT)).split("\\|\\|", 2);
        boolean isLimit = limit.length == 2;
        return new KeyHelp(
                key, text, value(lines, DEFAULT), isLimit ? limit[0].strip() : null, isLimit ? limit[1].strip() : "");
    }

    private static @Nullable String value(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .findFirst()
                .orElse(null);
    }

    /** The default in words, the same on every machine. */
    String defaultInWords() {
        if (defaultText != null) {
            return defaultText;
        }
        String share = key.shareOfHeap();
        if (share != null) {
            return share;
        }
        String value = "`" + key.defaultValue() + "`";
        if (key.type().isWhole()) {
            long number = Long.parseLong(key.defaultValue());
            return number == key.type().max() ? value + " (no limit)" : value + inLargeUnits(number);
        }
        return value;
    }

    private String inLargeUnits(long number) {
        if (key.key().endsWith(".ms")) {
            return number % DAY_MILLIS == 0 && number > 0
                    ? " (" + number / DAY_MILLIS + " d)"
                    : number % MINUTE_MILLIS == 0 && number > 0 ? " (" + number / MINUTE_MILLIS + " min)" : "";
        }
        boolean isMebibytes = key.key().endsWith("bytes") && number > 0 && number % MIB == 0;
        return isMebibytes ? " (" + number / MIB + " MiB)" : "";
    }

    /** The text of the key as Markdown. */
    List<String> lines() {
        StringJoiner facts = new StringJoiner("\n");
        facts.add("- Default: " + defaultInWords());
        if (!key.type().equals(ConfigType.TEXT)) {
            facts.add("- Allowed: " + key.type().allowed());
        }
        for (TopicConfigKey topicKey : TopicConfigKey.values()) {
            if (topicKey.brokerKey() == key) {
                facts.add("- Topic key: `" + topicKey.key() + "`");
            }
        }
        if (atLimit != null) {
            facts.add("- At the limit: " + atLimit);
        }
        if (!shownBy.isEmpty()) {
            facts.add("- Shown by: " + shownBy);
        }
        return Stream.concat(text.stream(), Stream.of("", facts.toString())).toList();
    }

    Map<String, @Nullable Object> json() {
        return JsonText.object(
                "key",
                key.key(),
                "default",
                defaultInWords().replace("`", ""),
                "allowed",
                key.type().allowed(),
                "help",
                String.join(" ", text),
                "atLimit",
                atLimit,
                "shownBy",
                shownBy.isEmpty() ? null : shownBy);
    }
}
