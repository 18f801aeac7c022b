package io.rivulet.broker.acl;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.json.JsonText;
import io.rivulet.store.failure.LogLimit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines about decisions, from the logger that Kafka has for them: what was denied at INFO, what was allowed at DEBUG.
 * At INFO, the lines of a connection and those of all connections in a minute are limited, so that a client can't fill
 * the disk. At DEBUG there is no limit. Thread-safe.
 */
final class AuditLog {
    static final int LINES_OF_CONNECTION = 30;
    static final int LINES_OF_ALL = 300;

    private static final Logger LOG = LoggerFactory.getLogger("kafka.authorizer.logger");
    private static final int MAX_CHARS = 128;

    private final LogLimit ofAll = LogLimit.aMinute(LINES_OF_ALL);

    Connection of(String principal, String host) {
        return new Connection(principal, host);
    }

    /** The decisions about one connection. */
    final class Connection {
        private final String principal;
        private final String host;
        private volatile @Nullable LogLimit limit;

        private Connection(String principal, String host) {
            this.principal = principal;
            this.host = host;
        }

        void decided(boolean allowed, Operation operation, ResourceType type, String name) {
            if (LOG.isDebugEnabled()) {
                if (allowed) {
                    LOG.debug("{}", line("allowed", operation, type, name));
                } else {
                    LOG.info("{}", line("denied", operation, type, name));
                }
            } else if (!allowed && LOG.isInfoEnabled()) {
                limit().log(more -> ofAll.log(
                        moreOfAll -> LOG.info("{}{}{}", line("denied", operation, type, name), more, moreOfAll)));
            }
        }

        /** Most connections are never denied anything. */
        private LogLimit limit() {
            LogLimit known = limit;
            if (known == null) {
                known = LogLimit.aMinute(LINES_OF_CONNECTION);
                limit = known;
            }
            return known;
        }

        private String line(String decision, Operation operation, ResourceType type, String name) {
            return decision + ": principal=" + text(principal) + " host=" + text(host) + " operation=" + operation
                    + " resource=" + type + ":" + text(name);
        }
    }

    /** Names come from clients. So they are quoted and escaped as in JSON, and long ones are cut. */
    private static String text(String name) {
        return name.length() <= MAX_CHARS
                ? JsonText.of(name)
                : JsonText.of(name.substring(0, MAX_CHARS)) + "...(" + name.length() + " characters)";
    }
}
