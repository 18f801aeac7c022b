package io.rivulet.broker.console;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.config.ConsoleSettings;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that a page of another site may have sent. Immutable.
 *
 * <p>A name that an attacker owns may resolve to this machine, and then a browser takes the attacker's page for one of
 * the broker's. The Host header still has that name. A page of another origin can send a request but not read the
 * answer; the browser says so in Origin and Sec-Fetch-Site. A change needs a token, too: only a page that can read
 * answers has it.
 */
final class Guard {
    static final String TOKEN_HEADER = "X-Rivulet-Token";
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-f:.]+]|[a-z0-9._-]+)(:[0-9]{0,5})?");
    private static final int TOKEN_BYTES = 16;

    private final Set<String> hosts;
    private final @Nullable String token;

    Guard(ConsoleSettings settings) {
        hosts = settings.hosts();
        token = settings.writes() ? newToken() : null;
    }

    private static String newToken() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** What requests that change something must have; null if nothing can be changed. */
    @Nullable
    String token() {
        return token;
    }

    /** @throws HttpProblem if a page of another site may have sent the request */
    void check(HttpExchange exchange) {
        String header = exchange.header(HttpHeaderNames.HOST);
        String authority = header == null ? "" : header.toLowerCase(Locale.ROOT);
        Matcher parts = HOST.matcher(authority);
        if (!parts.matches() || !isKnown(parts.group(1))) {
            throw refused("the host '" + authority + "' is not in rivulet.console.hosts");
        }
        String origin = exchange.header(HttpHeaderNames.ORIGIN);
        if (origin != null
                && !origin.toLowerCase(Locale.ROOT)
                        .replaceFirst("^https?://", "")
                        .equals(authority)) {
            throw refused("a page of another origin asks");
        }
    }

    private boolean isKnown(String host) {
        return LOOPBACK.contains(host) || hosts.contains(host);
    }

    /** Another page may link to the console, but not make it work. */
    void checkData(HttpExchange exchange) {
        String site = exchange.header("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw refused("a page of another origin asks");
        }
    }

    void checkChange(HttpExchange exchange) {
        if (token == null) {
            throw refused("the console only reads; rivulet.console.writes=true allows changes");
        }
        String sent = exchange.header(TOKEN_HEADER);
        if (sent == null || !MessageDigest.isEqual(bytes(sent), bytes(token))) {
            throw refused("the page is older than this start of the broker: load it again");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static HttpProblem refused(String why) {
        return new HttpProblem(HttpResponseStatus.FORBIDDEN, why);
    }
}
