package io.rivulet.broker.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reference of the configuration: docs/CONFIGURATION.md and {@code rivulet config --describe}. The resource {@code
 * reference.md} has the help texts; code adds defaults, allowed values and tables. Immutable; read when it is first
 * used, so that a start does not pay for it.
 */
public final class ConfigReference {
    private static final String ENTRY = "### ";
    private static final String TOPIC_KEYS = "{{topic keys}}";
    private static final String CHANGEABLE = "{{keys that can change}}";
    private static final String GROUP_KEYS = "{{group keys}}";
    private static final String LIMITS = "{{limits}}";
    private static final String LINKS = "{{links}}";

    private static final String SECTION = "## ";
    private static final String WITHOUT_EFFECT = "## Keys of Kafka without effect";

    private final String page;
    private final Set<BrokerKey> withoutEffect = EnumSet.noneOf(BrokerKey.class);
    private final Map<BrokerKey, KeyHelp> help = new EnumMap<>(BrokerKey.class);

    private static final class Holder {
        static final ConfigReference REFERENCE = new ConfigReference(resource());
    }

    private ConfigReference(String source) {
        List<String> read = new ArrayList<>();
        List<String> lines = source.lines().toList();
        String section = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            read.add(line);
            section = line.startsWith(SECTION) ? line : section;
            if (line.startsWith(ENTRY)) {
                int end = i + 1;
                while (!lines.get(end).isBlank()) {
                    end++;
                }
                read.addAll(entry(line.substring(ENTRY.length()), lines.subList(i + 1, end)));
                if (section.equals(WITHOUT_EFFECT)) {
                    withoutEffect.add(key(line.substring(ENTRY.length())));
                }
                i = end - 1;
            }
        }
        page = read.stream().flatMap(this::withTables).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String resource() {
        try (InputStream in = ConfigReference.class.getResourceAsStream("reference.md")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reference.md can't be read from the jar", e);
        }
    }

    private static BrokerKey key(String name) {
        return Objects.requireNonNull(BrokerKey.forKey(name), name);
    }

    private List<String> entry(String name, List<String> lines) {
        BrokerKey key = key(name);
        KeyHelp parsed = KeyHelp.parse(key, lines);
        help.put(key, parsed);
        return parsed.lines();
    }

    private Stream<String> withTables(String line) {
        return switch (line) {
            case TOPIC_KEYS -> topicKeys();
            case CHANGEABLE -> changeable();
            case GROUP_KEYS -> groupKeys();
            case LIMITS -> limits();
            case LINKS -> links();
            default -> Stream.of(line);
        };
    }

    private static Stream<String> topicKeys() {
        Stream<String> rows = Stream.of(TopicConfigKey.values()).map(key -> {
            BrokerKey brokerKey = key.brokerKey();
            String meaning = brokerKey == null ? "none. " + key.ownText() : link(brokerKey);
            return "| `" + key.key() + "` | " + meaning + " |";
        });
        return Stream.concat(Stream.of("| topic key | broker's key |", "|---|---|"), rows);
    }

    private static Stream<String> changeable() {
        return Stream.of(BrokerKey.values()).filter(DynamicKeys::canChange).map(key -> "- " + link(key));
    }

    private static Stream<String> groupKeys() {
        Stream<String> rows = Stream.of(GroupKey.values()).map(key -> {
            BrokerKey brokerKey = BrokerKey.forKey(key.brokerKey());
            String ownText = key.ownText() == null ? "none: without effect" : "none. " + key.ownText();
            return "| `" + key.key() + "` | " + (brokerKey == null ? ownText : link(brokerKey)) + " |";
        });
        return Stream.concat(Stream.of("| group key | broker's key |", "|---|---|"), rows);
    }

    private Stream<String> limits() {
        Stream<String> rows = help.values().stream()
                .filter(one -> one.atLimit() != null)
                .map(one -> "| " + link(one.key()) + " | " + one.defaultInWords() + " | " + one.atLimit() + " | "
                        + one.shownBy() + (one.shownBy().isEmpty() ? "|" : " |"));
        return Stream.concat(Stream.of("| key | default | at the limit | where it shows |", "|---|---|---|---|"), rows);
    }

    private static String link(BrokerKey key) {
        return "[" + key.key() + "]";
    }

    private static Stream<String> links() {
        return Stream.of(BrokerKey.values())
                .map(key -> link(key) + ": #" + key.key().replace(".", ""));
    }

    /** All keys, as Markdown. */
    public static String page() {
        return Holder.REFERENCE.page;
    }

    /** The help of one key of the broker or of topics, as Markdown; null if there is no such key. */
    public static @Nullable String describe(String name) {
        TopicConfigKey topicKey = TopicConfigKey.forKey(name);
        BrokerKey key = topicKey == null ? BrokerKey.forKey(name) : topicKey.brokerKey();
        if (key != null) {
            return key.key() + "\n" + String.join("\n", help(key).lines()) + "\n";
        }
        return topicKey == null ? null : name + "\n" + topicKey.ownText() + "\n";
    }

    /** All keys of the broker, or the one with this name, for JSON; empty if there is no such key. */
    public static List<Map<String, @Nullable Object>> keys(@Nullable String name) {
        return Stream.of(BrokerKey.values())
                .filter(key -> name == null || key.key().equals(name))
                .map(key -> help(key).json())
                .toList();
    }

    /** Whether the key does anything here. */
    static boolean hasEffect(BrokerKey key) {
        return !Holder.REFERENCE.withoutEffect.contains(key);
    }

    /** The help text alone, in one line. */
    public static String documentation(BrokerKey key) {
        return String.join(" ", help(key).text());
    }

    /** The help text alone, in one line. */
    public static String documentation(TopicConfigKey key) {
        BrokerKey brokerKey = key.brokerKey();
        return brokerKey == null ? key.ownText() : documentation(brokerKey);
    }

    private static KeyHelp help(BrokerKey key) {
        return Objects.requireNonNull(Holder.REFERENCE.help.get(key), key.key());
    }
}
