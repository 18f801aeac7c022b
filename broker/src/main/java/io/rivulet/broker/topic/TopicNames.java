package io.rivulet.broker.topic;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import org.jspecify.annotations.Nullable;

/** The names that topics may have: the same as in Kafka. Stateless. */
public final class TopicNames {
    /** The log of Kafka's controllers. It is described as a quorum; no topic has its name. */
    public static final String CLUSTER_METADATA = "__cluster_metadata";

    private static final int MAX_LENGTH = 249;

    private TopicNames() {}

    public static boolean isValid(String name) {
        return problem(name) == null;
    }

    /** Whether no client may create a topic with this valid name. */
    public static boolean isReserved(String name) {
        return name.equals(CLUSTER_METADATA) || InternalTopic.named(name) != null;
    }

    public static void require(String name) {
        if (isReserved(name)) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "the name " + name + " is reserved");
        }
        String problem = problem(name);
        if (problem != null) {
            throw new RefusedException(ErrorCode.INVALID_TOPIC_EXCEPTION, problem);
        }
    }

    /** Names that differ in '.' and '_' only have the same folded name. Kafka's metrics can't tell them apart. */
    static String folded(String name) {
        return name.replace('.', '_');
    }

    private static @Nullable String problem(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            return "a topic can't have the name '" + name + "'";
        }
        if (name.length() > MAX_LENGTH) {
            return "the name of a topic has at most " + MAX_LENGTH + " characters, not " + name.length();
        }
        for (int i = 0; i < name.length(); i++) {
            if (!isAllowed(name.charAt(i))) {
                return "the name of a topic may have a-z, A-Z, 0-9, '.', '_' and '-' only: '" + name + "'";
            }
        }
        return null;
    }

    private static boolean isAllowed(char c) {
        return isIn(c, 'a', 'z') || isIn(c, 'A', 'Z') || isIn(c, '0', '9') || c == '.' || c == '_' || c == '-';
    }

    private static boolean isIn(char c, char first, char last) {
        return first <= c && c <= last;
    }
}
