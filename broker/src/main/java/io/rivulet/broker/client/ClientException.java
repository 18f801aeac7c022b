package io.rivulet.broker.client;

import io.rivulet.broker.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** What was asked for did not happen; the message is for the one who asked. */
public final class ClientException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClientException(String message) {
        super(message);
    }

    /** Throws unless the code is that of success. */
    public static void require(short code, @Nullable String message, String doing) {
        if (code != ErrorCode.NONE.code()) {
            throw new ClientException(doing + ": " + name(code) + (message == null ? "" : ": " + message));
        }
    }

    private static String name(short code) {
        for (ErrorCode known : ErrorCode.values()) {
            if (known.code() == code) {
                return known.name();
            }
        }
        return "error " + code;
    }
}
