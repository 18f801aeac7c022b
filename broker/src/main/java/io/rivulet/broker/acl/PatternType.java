package io.rivulet.broker.acl;

import org.jspecify.annotations.Nullable;

/** How the name in a rule is compared with that of a resource, with its number in Kafka's protocol. */
public enum PatternType {
    /** Only in filters: each kind of rule. */
    ANY(1),
    /** Only in filters: each rule that matches a resource of this name. */
    MATCH(2),
    /** The same name. The name * stands for all resources. */
    LITERAL(3),
    /** The beginning of a name. */
    PREFIXED(4);

    private final byte code;

    PatternType(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    /** Null if there is none with this number. */
    public static @Nullable PatternType ofCode(byte code) {
        for (PatternType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return null;
    }
}
