package io.rivulet.broker.config;

import io.rivulet.protocol.record.codec.Codec;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The type of a key: how its text is parsed, and which values are allowed. Immutable. */
public sealed interface ConfigType {
    /** @throws NumberFormatException if a number is expected and the text is none */
    boolean allows(String value);

    /** The allowed values, for messages and for the reference. */
    String allowed();

    /** The type's number in DescribeConfigs. */
    byte wireType();

    /** @throws ConfigException if the value is not allowed */
    default void check(String key, String value) {
        if (!isAllowed(value, this::allows)) {
            throw new ConfigException(key, value, allowed());
        }
    }

    private static boolean isAllowed(String value, Predicate<String> allows) {
        try {
            return allows.test(value);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    record Whole(long min, long max, boolean isLong) implements ConfigType {
        private static final byte INT = 3;
        private static final byte LONG = 5;

        static Whole ints(int min) {
            return new Whole(min, Integer.MAX_VALUE, false);
        }

        static Whole longs(long min) {
            return new Whole(min, Long.MAX_VALUE, true);
        }

        long parse(String key, String value) {
            check(key, value);
            return Long.parseLong(value.strip());
        }

        @Override
        public boolean allows(String value) {
            long number = Long.parseLong(value.strip());
            return number >= min && number <= max;
        }

        @Override
        public String allowed() {
            return max == Integer.MAX_VALUE || max == Long.MAX_VALUE
                    ? "a whole number of " + min + " or more"
                    : "a whole number from " + min + " to " + max;
        }

        @Override
        public byte wireType() {
            return isLong ? LONG : INT;
        }
    }

    /** A compression level of a codec. */
    record Level(Codec codec) implements ConfigType {
        private static final byte INT = 3;

        @Override
        public boolean allows(String value) {
            return codec.allowsLevel(Integer.parseInt(value.strip()));
        }

        @Override
        public String allowed() {
            return "a level of " + codec.configName() + ": " + codec.levels();
        }

        @Override
        public byte wireType() {
            return INT;
        }
    }

    record Choice(List<String> values) implements ConfigType {
        private static final byte STRING = 2;

        static Choice of(String... values) {
            return new Choice(List.of(values));
        }

        @Override
        public boolean allows(String value) {
            return values.contains(value);
        }

        @Override
        public String allowed() {
            return String.join(" or ", values);
        }

        @Override
        public byte wireType() {
            return STRING;
        }
    }

    /** A number with a fraction. */
    record Fraction(double min, double max) implements ConfigType {
        private static final byte DOUBLE = 6;

        @Override
        public boolean allows(String value) {
            double number = Double.parseDouble(value.strip());
            return number >= min && number <= max;
        }

        @Override
        public String allowed() {
            return "a number from " + min + " to " + max;
        }

        @Override
        public byte wireType() {
            return DOUBLE;
        }
    }

    /** One or more of some words, separated by commas. */
    record Words(List<String> words) implements ConfigType {
        private static final byte LIST = 7;

        static Words of(String... words) {
            return new Words(List.of(words));
        }

        /** The words of a value. */
        public static List<String> split(String value) {
            return Stream.of(value.split(",", -1))
                    .map(String::strip)
                    .filter(word -> !word.isEmpty())
                    .toList();
        }

        @Override
        public boolean allows(String value) {
            List<String> given = split(value);
            return !given.isEmpty() && words.containsAll(given);
        }

        @Override
        public String allowed() {
            return "a list of " + String.join(" and ", words);
        }

        @Override
        public byte wireType() {
            return LIST;
        }
    }

    record Flag() implements ConfigType {
        private static final byte BOOLEAN = 1;

        @Override
        public boolean allows(String value) {
            return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
        }

        @Override
        public String allowed() {
            return "true or false";
        }

        @Override
        public byte wireType() {
            return BOOLEAN;
        }
    }

    record Text() implements ConfigType {
        private static final byte STRING = 2;

        @Override
        public boolean allows(String value) {
            return true;
        }

        @Override
        public String allowed() {
            return "text";
        }

        @Override
        public byte wireType() {
            return STRING;
        }
    }
}
