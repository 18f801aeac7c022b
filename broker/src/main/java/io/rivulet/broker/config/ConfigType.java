package io.rivulet.broker.config;

import io.rivulet.protocol.record.codec.Codec;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The type of a key: which values are allowed. Immutable.
 *
 * @param wireType the type's number in DescribeConfigs
 * @param allowed the allowed values, for messages and for the reference
 * @param test throws a NumberFormatException if a number is expected and the text is none
 * @param min the smallest whole number
 * @param max the largest whole number
 */
public record ConfigType(byte wireType, String allowed, Predicate<String> test, long min, long max) {
    private static final byte BOOLEAN = 1;
    private static final byte STRING = 2;
    private static final byte INT = 3;
    private static final byte LONG = 5;
    private static final byte DOUBLE = 6;
    private static final byte LIST = 7;
    private static final byte SECRET = 9;

    static final ConfigType TEXT = of(STRING, "text", value -> true);
    static final ConfigType FLAG =
            of(BOOLEAN, "true or false", value -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"));

    static final ConfigType ANY_LIST = of(LIST, "a list", value -> true);
    static final ConfigType PASSWORD = of(SECRET, "text", value -> true);

    /** Of a key that the broker does not know. */
    public static final ConfigType UNKNOWN = of((byte) 0, "text", value -> true);

    /** Which clients: attribute=regular expression. */
    static final ConfigType MATCHES = of(
            LIST,
            "a list of client_id, client_instance_id, client_software_name, client_software_version,"
                    + " client_source_address or client_source_port, each with =regular expression",
            value -> words(value).stream()
                    .allMatch(word -> word.matches(
                            "client_(id|instance_id|software_name|software_version|source_address|source_port)=.*")));

    /** Who clients are, as in rules of access. */
    static final ConfigType PRINCIPALS = of(
            STRING,
            "a list of type:name with semicolons, such as User:alice;User:bob",
            value -> principals(value).stream().allMatch(principal -> principal.contains(":")));

    /** Where the log is: machines, and its name. */
    static final ConfigType CLUSTER = of(
            STRING,
            "host:port of each member of ZooKeeper, with commas between them, and /name if there are several logs",
            value -> value.isBlank()
                    || value.matches("[^\\s,/:]+:\\d{1,5}(,[^\\s,/:]+:\\d{1,5})*(/[A-Za-z0-9._-]{1,100})?"));

    /** Replicas as partition:broker, or all of them. */
    static final ConfigType REPLICAS = of(
            LIST,
            "a list of partition:broker, or *",
            value -> value.isBlank()
                    || value.strip().equals("*")
                    || value.matches("\\s*\\d+:\\d+(\\s*,\\s*\\d+:\\d+)*\\s*"));

    /** A text of a certain form. */
    static ConfigType text(String allowed, Predicate<String> test) {
        return of(STRING, allowed, test);
    }

    /** A flag that can't be switched on. */
    static ConfigType onlyFalse(String reason) {
        return of(BOOLEAN, "false: " + reason, value -> value.equalsIgnoreCase("false"));
    }

    private static ConfigType of(byte wireType, String allowed, Predicate<String> test) {
        return new ConfigType(wireType, allowed, test, 0, 0);
    }

    static ConfigType ints(long min) {
        return whole(INT, "a whole number of " + min + " or more", min, Integer.MAX_VALUE);
    }

    static ConfigType longs(long min) {
        return whole(LONG, "a whole number of " + min + " or more", min, Long.MAX_VALUE);
    }

    static ConfigType range(long min, long max) {
        return whole(INT, "a whole number from " + min + " to " + max, min, max);
    }

    private static ConfigType whole(byte wireType, String allowed, long min, long max) {
        Predicate<String> isInRange = value -> {
            long number = Long.parseLong(value.strip());
            return number >= min && number <= max;
        };
        return new ConfigType(wireType, allowed, isInRange, min, max);
    }

    /** A number with a fraction. */
    static ConfigType fraction(double min, double max) {
        return of(DOUBLE, "a number from " + min + " to " + max, value -> {
            double number = Double.parseDouble(value.strip());
            return number >= min && number <= max;
        });
    }

    /** A compression level of a codec. */
    static ConfigType level(Codec codec) {
        return of(
                INT,
                "a level of " + codec.configName() + ": " + codec.levels(),
                value -> codec.allowsLevel(Integer.parseInt(value.strip())));
    }

    /** Bytes, or a part of a disk. */
    static ConfigType space() {
        return of(STRING, "bytes, or percent of the disk such as 5%", value -> SpaceLimit.isAllowed(value.strip()));
    }

    /** One text, or none. */
    static ConfigType optional(String allowed) {
        return of(
                STRING,
                allowed + ", or nothing",
                value -> value.isBlank() || value.strip().equals(allowed));
    }

    static ConfigType choice(String... values) {
        return of(STRING, String.join(" or ", values), List.of(values)::contains);
    }

    /** Some of these words, or none, separated by commas. */
    static ConfigType list(String... words) {
        return of(
                LIST,
                "a list of " + String.join(" and ", words) + ", or nothing",
                value -> List.of(words).containsAll(words(value)));
    }

    /**
     * One or more of these words, separated by commas.
     *
     * @param spellings other names of the words; they are allowed too
     */
    static ConfigType list(List<String> words, List<String> spellings) {
        return of(
                LIST,
                "a list of " + String.join(" and ", words),
                value -> !words(value).isEmpty()
                        && words(value).stream().allMatch(word -> words.contains(word) || spellings.contains(word)));
    }

    /** The words of a value that is a list. */
    public static List<String> words(String value) {
        return Stream.of(value.split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** The principals of a value that lists them. */
    static List<String> principals(String value) {
        return Stream.of(value.split(";", -1))
                .map(String::strip)
                .filter(principal -> !principal.isEmpty())
                .toList();
    }

    public boolean isList() {
        return wireType == LIST;
    }

    /** Whether values must not be shown. */
    public boolean isSecret() {
        return wireType == SECRET;
    }

    boolean isWhole() {
        return wireType == INT || wireType == LONG;
    }

    /** @throws ConfigException if the value is not allowed */
    public void check(String key, String value) {
        if (!allows(value)) {
            throw new ConfigException(key, value, allowed);
        }
    }

    boolean allows(String value) {
        try {
            return test.test(value);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /**
     * The whole number.
     *
     * @throws ConfigException if the value is not allowed
     */
    long parse(String key, String value) {
        check(key, value);
        return Long.parseLong(value.strip());
    }
}
