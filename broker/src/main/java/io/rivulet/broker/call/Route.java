package io.rivulet.broker.call;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import org.jspecify.annotations.Nullable;

/**
 * How one API is served: a row of the {@link RouteTable}.
 *
 * <p>Made while the broker starts, and not changed after that.
 */
public final class Route {
    /** Where a handler runs. */
    public enum Place {
        /** On the event loop of the connection. The read thread that has decoded a long request also handles it. */
        EVENT_LOOP_OR_READER,
        /** Always on the event loop of the connection: the handler has state of the connection or of a session. */
        EVENT_LOOP,
        /** On the thread that owns groups and transactions. */
        COORDINATOR_THREAD
    }

    /**
     * Calls of one connection that may be in progress together. A call starts when all calls in progress are in its
     * lane, or when there is none. The calls of a lane keep their order by themselves.
     */
    public enum Lane {
        /** No other call is in progress meanwhile. */
        ALONE,
        /** They write records, offsets or memberships, and none reads what another one writes. */
        WRITES,
        /** They begin and end transactions. The thread of the coordinators handles them in order. */
        TRANSACTIONS
    }

    private final ApiKey key;
    private final Handler<?> handler;
    private Place place = Place.EVENT_LOOP_OR_READER;
    private short lowestVersion;
    private Lane lane = Lane.ALONE;
    private boolean keepsFrame;
    private @Nullable Refusal<?> refusal;
    private @Nullable Permission<?> permission;
    private ErrorCode busyError = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS;

    private Route(ApiKey key, Handler<?> handler) {
        this.key = key;
        this.handler = handler;
        this.lowestVersion = key.lowestVersion();
    }

    /** @param handler of requests that the protocol decodes for this API */
    public static <T extends Message> Route of(ApiKey key, Handler<T> handler) {
        return new Route(key, handler);
    }

    // ---- the columns ----

    public Route at(Place where) {
        place = where;
        return this;
    }

    /** Advertises older versions than the broker serves. */
    public Route advertisedFrom(int version) {
        lowestVersion = (short) version;
        return this;
    }

    /**
     * Its connection starts further calls of the lane before this one is answered. Only for small answers: an answer
     * that takes memory must not wait for an earlier one that waits for memory.
     */
    public Route pipelined(Lane with) {
        lane = with;
        return this;
    }

    /** The request borrows its records from the frame, so the frame is kept until the answer. */
    public Route keepingFrame() {
        keepsFrame = true;
        return this;
    }

    public <T extends Message> Route refusedBy(Refusal<T> answers) {
        refusal = answers;
        return this;
    }

    /** Sets the error for clients when the handler's thread is behind. The default is COORDINATOR_LOAD_IN_PROGRESS. */
    public Route busyWith(ErrorCode error) {
        busyError = error;
        return this;
    }

    /** Checked before the handler runs. A client without it gets the answer of {@link #refusedBy}. */
    public <T extends Message> Route permittedBy(Permission<T> needed) {
        permission = needed;
        return this;
    }

    // ---- for calls and connections ----

    public ApiKey key() {
        return key;
    }

    public Place place() {
        return place;
    }

    /** The lowest version that is advertised. */
    public short lowestVersion() {
        return lowestVersion;
    }

    public short highestVersion() {
        return key.latestVersionUnstable() ? (short) (key.highestVersion() - 1) : key.highestVersion();
    }

    /** Whether requests of this version are read. */
    boolean serves(short version) {
        return key.lowestVersion() <= version && version <= highestVersion();
    }

    public Lane lane() {
        return lane;
    }

    public boolean keepsFrame() {
        return keepsFrame;
    }

    @SuppressWarnings("unchecked") // the protocol decodes requests of this API to the type of its handler
    void handle(Call call) {
        ErrorCode denied = permission == null || call.access().isUnlimited()
                ? ErrorCode.NONE
                : ((Permission<Message>) permission).check(call.access(), call.body(), call.version());
        if (denied == ErrorCode.NONE) {
            ((Handler<Message>) handler).handle(call, call.body());
        } else {
            call.answer(refuse(call, denied));
        }
    }

    /** Whether the API has an answer that refuses a request. */
    public boolean isRefusable() {
        return refusal != null;
    }

    @SuppressWarnings("unchecked") // as above
    Message refuse(Call call, ErrorCode error) {
        if (refusal == null) {
            throw new IllegalStateException(key + " has no answer that refuses a request");
        }
        return ((Refusal<Message>) refusal).refuse(call.body(), call.version(), error);
    }

    public ErrorCode busyError() {
        return busyError;
    }
}
