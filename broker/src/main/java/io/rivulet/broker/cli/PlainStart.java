package io.rivulet.broker.cli;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command lines by which brokers are started, understood without picocli, whose reflection on commands and options is a third
 * of a start. Whatever is not plain, such as a mistake or a wish for help, is picocli's.
 *
 * <p>Immutable.
 *
 * @param file the server.properties that was named
 * @param overrides by key
 */
record PlainStart(@Nullable Path file, Map<String, String> overrides) {
    /** Null when picocli has to look at them. */
    static @Nullable PlainStart of(String[] arguments) {
        if (arguments.length == 0 || !arguments[0].equals("start")) {
            return null;
        }
        Path file = null;
        Map<String, String> overrides = new HashMap<>();
        for (int i = 1; i < arguments.length; i++) {
            if (arguments[i].equals("--override") && i + 1 < arguments.length) {
                String pair = arguments[++i];
                int equals = pair.indexOf('=');
                if (equals < 1 || !isPlain(pair)) {
                    return null;
                }
                overrides.put(pair.substring(0, equals), pair.substring(equals + 1));
            } else if (file == null && isPlain(arguments[i])) {
                file = Path.of(arguments[i]);
            } else {
                return null;
            }
        }
        return new PlainStart(file, overrides);
    }

    /** To picocli quotes, a dash and an @ at the beginning mean something. */
    private static boolean isPlain(String argument) {
        return !argument.isBlank()
                && argument.charAt(0) != '-'
                && argument.charAt(0) != '@'
                && argument.indexOf('"') < 0;
    }
}
