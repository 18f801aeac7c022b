package io.rivulet.broker.api.coordinator;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.Route.Place;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.quota.CallMeter;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;

/**
 * Passes calls to the thread that owns groups and transactions. If the thread is behind, calls are refused.
 * Thread-safe.
 */
public record CoordinatorCalls(CoordinatorRuntime runtime) {
    /** The route of an API that may change something. */
    public <T extends Message> Route change(ApiKey key, ChangeHandler<T> handler) {
        return Route.of(key, change(handler))
                .at(Place.COORDINATOR_THREAD)
                .permittedBy(handler)
                .refusedBy(handler);
    }

    /** The route of an API that changes nothing. */
    public <T extends Message, A> Route question(ApiKey key, QuestionHandler<T, A> handler) {
        Handler<T> asking = offering((call, request) -> ask(call, request, handler));
        return Route.of(key, asking).at(Place.COORDINATOR_THREAD).refusedBy(handler);
    }

    /** Runs the handler on that thread. An exception fails the broker, because the change may be incomplete. */
    public <T extends Message> Handler<T> change(Handler<T> handler) {
        return offering((call, request) -> {
            if (runtime.isBehind()) {
                call.refuseAsBusy();
            } else {
                handler.handle(call, request);
            }
        });
    }

    private <T extends Message> Handler<T> offering(Handler<T> handler) {
        return (call, request) -> {
            if (!runtime.offer(() -> CallMeter.run(call.meter(), () -> handler.handle(call, request)))) {
                call.refuseAsBusy();
            }
        };
    }

    private <T extends Message, A> void ask(Call call, T request, QuestionHandler<T, A> handler) {
        try {
            AskingCall<A> asker = new AskingCall<>(
                    call, answer -> handler.answer(call, answer), () -> runtime.deliver(runtime.questions()::answered));
            if (!runtime.questions().ask(handler.question(request, call.version(), call.access()), asker)) {
                call.refuseAsBusy();
            }
        } catch (RuntimeException e) {
            call.fail(e); // a question changes nothing, so the broker need not fail
        }
    }
}
