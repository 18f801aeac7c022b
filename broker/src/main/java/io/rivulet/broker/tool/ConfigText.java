package io.rivulet.broker.tool;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses configs of a command line: {@code a=b,c=[d,e]}. */
final class ConfigText {
    private static final Pattern ONE =
            Pattern.compile("\\s*([^=,\\s]+)\\s*=\\s*(?:\\[([^\\]]*)\\]|([^,\\[]*))\\s*(?:,|$)");

    private ConfigText() {}

    /** @throws IllegalArgumentException if the text has another form */
    static Map<String, String> parse(String text) {
        Map<String, String> configs = new LinkedHashMap<>();
        Matcher matcher = ONE.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new IllegalArgumentException("'" + text + "' does not have the form key=value,key=[value,value]");
            }
            String list = matcher.group(2);
            configs.put(matcher.group(1), list != null ? list : matcher.group(3).strip());
            at = matcher.end();
        }
        return configs;
    }
}
