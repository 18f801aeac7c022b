package io.rivulet.broker.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A place to listen on. Immutable.
 *
 * @param host empty for all interfaces
 * @param port 0 for a free port
 */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;

    /** Null if the text is not host:port. */
    public static @Nullable HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, Math.max(0, colon));
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            return colon >= 0 && port >= 0 && port <= MAX_PORT ? new HostPort(host, port) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The same host with another port. */
    public HostPort withPort(int newPort) {
        return new HostPort(host, newPort);
    }

    boolean hasWildcardHost() {
        return host.isEmpty() || host.equals("0.0.0.0") || host.equals("::");
    }

    /** Whether only this machine can connect. Looks up the name of the host. */
    public boolean isLoopback() {
        InetAddress address = socketAddress().getAddress();
        return address != null && address.isLoopbackAddress();
    }

    /** Looks up the name of the host. */
    public InetSocketAddress socketAddress() {
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
