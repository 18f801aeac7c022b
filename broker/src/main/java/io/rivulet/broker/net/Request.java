package io.rivulet.broker.net;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;

/** A request that was decoded whole. Immutable. */
record Request(ApiKey key, short version, int correlationId, Message body) {}
