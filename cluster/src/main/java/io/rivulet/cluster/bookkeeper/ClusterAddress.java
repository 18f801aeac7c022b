package io.rivulet.cluster.bookkeeper;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a log is: {@code host:port,host:port/NAME}. Immutable.
 *
 * @param servers host:port of each member of ZooKeeper, separated by commas
 * @param name of the log
 */
public record ClusterAddress(String servers, String name) {
    private static final String DEFAULT_NAME = "rivulet";
    private static final String SERVER = "[^\\s,/:]+:\\d{1,5}";
    private static final Pattern FORM =
            Pattern.compile("(" + SERVER + "(?:," + SERVER + ")*)(?:/([A-Za-z0-9._-]{1,100}))?");
    /** Segments of a path that ZooKeeper refuses. */
    private static final Pattern DOTS = Pattern.compile("\\.\\.?");

    /** @throws IOException if this is none */
    public static ClusterAddress of(String address) throws IOException {
        Matcher parts = FORM.matcher(address);
        if (!parts.matches()
                || (parts.group(2) != null && DOTS.matcher(parts.group(2)).matches())) {
            throw new IOException("not an address of a cluster: " + address
                    + ". It is host:port of each member of ZooKeeper, with commas between them, and /name if there are"
                    + " several logs");
        }
        return new ClusterAddress(parts.group(1), parts.group(2) == null ? DEFAULT_NAME : parts.group(2));
    }
}
