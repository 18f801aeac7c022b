package io.rivulet.broker.coordinator;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The commit log, as one coordinator sees it. */
public interface Journal {
    /**
     * Appends entries in the order of the calls.
     *
     * @param done called on the coordinator thread: with null when the entry is durable and applied, or with the
     *     failure. After a failure the entry may still be stored
     */
    void append(ByteBuffer entry, Consumer<@Nullable Throwable> done);

    /** The error code for a client whose change could not be stored. */
    static ErrorCode errorOf(Throwable failure) {
        ErrorCode cause = ErrorMapper.refusal(failure).code();
        return switch (cause) {
            case KAFKA_STORAGE_ERROR -> ErrorCode.COORDINATOR_NOT_AVAILABLE;
            case MESSAGE_TOO_LARGE -> ErrorCode.UNKNOWN_SERVER_ERROR;
            default -> cause;
        };
    }
}
