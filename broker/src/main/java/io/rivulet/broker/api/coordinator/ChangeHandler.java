package io.rivulet.broker.api.coordinator;

import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Permission;
import io.rivulet.broker.call.Refusal;
import io.rivulet.protocol.wire.Message;

/** Serves an API that may change groups or transactions. Runs on the thread that owns them. */
public interface ChangeHandler<T extends Message> extends Handler<T>, Permission<T>, Refusal<T> {}
