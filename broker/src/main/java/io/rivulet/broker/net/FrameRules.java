package io.rivulet.broker.net;

/** What frames a connection takes now. They change with its login. Owned by: the event loop of the connection. */
interface FrameRules {
    /** The memory that frames are charged to. */
    RequestMemory memory();

    /** The longest frame. */
    int maxBytes();

    /** The key that sets it. */
    String maxBytesKey();

    /** Whether a frame is a token without a header. */
    boolean isToken();

    /**
     * Whether so many bytes may wait until the connection goes on. The client sent them although an earlier request is
     * not answered yet.
     */
    boolean mayWait(int bytes);

    /** The same for all frames. */
    static FrameRules fixed(RequestMemory memory, int maxBytes) {
        return new FixedRules(memory, maxBytes);
    }

    /** Of connections without a login. Immutable. */
    record FixedRules(RequestMemory memory, int maxBytes) implements FrameRules {
        @Override
        public String maxBytesKey() {
            return "socket.request.max.bytes";
        }

        @Override
        public boolean isToken() {
            return false;
        }

        @Override
        public boolean mayWait(int bytes) {
            return true;
        }
    }
}
