package io.rivulet.broker.net;

import io.rivulet.protocol.wire.Message;

/** A response on its way out, in the versions in which header and body will be written. Immutable. */
record Response(int correlationId, short headerVersion, short version, Message body) {}
