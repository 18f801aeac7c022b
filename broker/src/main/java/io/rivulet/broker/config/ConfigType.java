package io.rivulet.broker.config;

import io.rivulet.protocol.record.codec.Codec;
import java.util.List;
import java.util.stream.Stream;

/** How the text of a value is read, and what it may be. Immutable. */
public sealed interface ConfigType {
    /** Throws when the value is not allowed. */
    void check(String key, String value);

    /** The number that Kafka's DescribeConfigs has for the type. */
    byte wireType();

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
            try {
                long number = Long.parseLong(value.strip());
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw new ConfigException(key, value, allowed());
            }
            throw new ConfigException(key, value, allowed());
        }

        private String allowed() {
            return max == Integer.MAX_VALUE || max == Long.MAX_VALUE
                    ? "a whole number of " + min + " or more"
                    : "a whole number from " + min + " to " + max;
        }

        @Override
        public void check(String key, String value) {
            parse(key, value);
        }

        @Override
        public byte wireType() {
            return isLong ? LONG : INT;
        }
    }

    /** How hard a codec tries. */
    record Level(Codec codec) implements ConfigType {
        private static final byte INT = 3;

        @Override
        public void check(String key, String value) {
            try {
                if (codec.allowsLevel(Integer.parseInt(value.strip()))) {
                    return;
                }
            } catch (NumberFormatException e) {
                throw new ConfigException(key, value, allowed());
            }
            throw new ConfigException(key, value, allowed());
        }

        private String allowed() {
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
        public void check(String key, String value) {
            if (!values.contains(value)) {
                throw new ConfigException(key, value, String.join(" or ", values));
            }
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
        public void check(String key, String value) {
            try {
                double number = Double.parseDouble(value.strip());
                if (number >= min && number <= max) {
                    return;
                }
            } catch (NumberFormatException e) {
                throw new ConfigException(key, value, allowed());
            }
            throw new ConfigException(key, value, allowed());
        }

        private String allowed() {
            return "a number from " + min + " to " + max;
        }

        @Override
        public byte wireType() {
            return DOUBLE;
        }
    }

    /** One or more of some words. */
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
        public void check(String key, String value) {
            List<String> given = split(value);
            if (given.isEmpty() || !words.containsAll(given)) {
                throw new ConfigException(key, value, "a list of " + String.join(" and ", words));
            }
        }

        @Override
        public byte wireType() {
            return LIST;
        }
    }

    record Flag() implements ConfigType {
        private static final byte BOOLEAN = 1;

        @Override
        public void check(String key, String value) {
            if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
                throw new ConfigException(key, value, "true or false");
            }
        }

        @Override
        public byte wireType() {
            return BOOLEAN;
        }
    }

    record Text() implements ConfigType {
        private static final byte STRING = 2;

        @Override
        public void check(String key, String value) {}

        @Override
        public byte wireType() {
            return STRING;
        }
    }
}
