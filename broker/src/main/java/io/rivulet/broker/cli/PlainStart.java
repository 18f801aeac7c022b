package io.rivulet.broker.cli;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses the usual command lines of {@code start} without picocli, whose reflection takes a third of a start. All other
 * command lines, such as mistakes and {@code --help}, go to picocli.
 *
 * <p>Immutable.
 *
 * @param file the server.properties that was named
 * @param overrides by key
 */
record PlainStart(@Nullable Path file, Map<String, String> overrides) {
    /** Null if picocli has to parse the arguments. */
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

    /** Quotes, and a dash or @ at the beginning, have a meaning for picocli. */
    private static boolean isPlain(String argument) {
        return !argument.isBlank()
                && argument.charAt(0) != '-'
                && argument.charAt(0) != '@'
                && argument.indexOf('"') < 0;
    }
}
