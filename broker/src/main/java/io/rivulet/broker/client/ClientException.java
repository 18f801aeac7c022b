package io.rivulet.broker.client;

import io.rivulet.broker.error.ErrorCode;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A request failed. The message is for the user. */
public final class ClientException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClientException(String message) {
        super(message);
    }

    /** Throws unless the code is NONE. */
    public static void require(short code, @Nullable String message, String doing) {
        if (code != ErrorCode.NONE.code()) {
            throw new ClientException(doing + ": " + name(code) + (message == null ? "" : ": " + message));
        }
    }

    /** The name of an error, or its number. */
    public static String name(short code) {
        return Stream.of(ErrorCode.values())
                .filter(known -> known.code() == code)
                .map(ErrorCode::name)
                .findFirst()
                .orElse("error " + code);
    }
}
