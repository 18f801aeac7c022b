package io.rivulet.broker.call;

import io.netty.channel.EventLoop;
import io.rivulet.broker.sasl.Login;
import io.rivulet.protocol.wire.Message;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The end of a login that has failed. Stateless. */
public final class FailedLogin {
    private FailedLogin() {}

    /**
     * Answers after the delay for failed logins, and closes the connection when the client had the time to read why. It
     * is not read meanwhile, and no thread waits. Called on the event loop.
     */
    public static void answer(Call call, Login login, Message answer, String reason) {
        EventLoop loop = call.origin().eventLoop();
        if (loop.isShuttingDown()) {
            call.discard();
            return;
        }
        login.fail();
        Runnable close = () -> call.origin().closeSoon("login failed: " + reason);
        var unused = loop.schedule(
                () -> call.answer(answer, List.of(), close), login.failureDelayMillis(), TimeUnit.MILLISECONDS);
    }
}
