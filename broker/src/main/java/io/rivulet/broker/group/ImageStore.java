package io.rivulet.broker.group;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a group's image goes when it has changed. */
public interface ImageStore {
    /** @param done called on the thread that owns the groups: with null when the image is durable, or with the reason why not */
    void store(ByteBuffer image, Consumer<@Nullable Throwable> done);

    /** Time has changed the group, not a request: it may have become idle. */
    void changed();

    /** What a member is told when its group's image was not stored. */
    static ErrorCode errorOf(Throwable failure) {
        ErrorCode cause = ErrorMapper.refusal(failure).code();
        return switch (cause) {
            case KAFKA_STORAGE_ERROR -> ErrorCode.COORDINATOR_NOT_AVAILABLE;
            case MESSAGE_TOO_LARGE -> ErrorCode.UNKNOWN_SERVER_ERROR;
            default -> cause;
        };
    }
}
