package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.rivulet.broker.config.Listener;

/** What a new connection meets. Thread-safe. */
interface Front {
    /** Takes the connection. Called on its event loop, before it is read. */
    void take(Channel channel, Listener listener, LongestIdle.Activity activity);
}
