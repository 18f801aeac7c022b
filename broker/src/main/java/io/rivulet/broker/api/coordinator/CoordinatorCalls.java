package io.rivulet.broker.api.coordinator;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.Route.Place;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;

/** Takes calls to the thread that owns groups and transactions. When that has too much to do, they are refused. Thread-safe. */
public final class CoordinatorCalls {
    private final CoordinatorRuntime runtime;

    public CoordinatorCalls(CoordinatorRuntime runtime) {
        this.runtime = runtime;
    }

    /** The route of an API that may change something. */
    public <T extends Message> Route change(ApiKey key, ChangeHandler<T> handler) {
        return Route.of(key, change(handler)).at(Place.COORDINATOR_THREAD).refusedBy(handler);
    }

    /** The route of an API that changes nothing. */
    public <T extends Message, A> Route question(ApiKey key, QuestionHandler<T, A> handler) {
        Handler<T> asking = offering((call, request) -> ask(call, request, handler));
        return Route.of(key, asking).at(Place.COORDINATOR_THREAD).refusedBy(handler);
    }

    /** Runs the handler on the thread. What it throws fails the broker: a change that was left half done can't be trusted. */
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
            if (!runtime.offer(() -> handler.handle(call, request))) {
                call.refuseAsBusy();
            }
        };
    }

    private <T extends Message, A> void ask(Call call, T request, QuestionHandler<T, A> handler) {
        try {
            AskingCall<A> asker = new AskingCall<>(
                    call, answer -> handler.answer(call, answer), () -> runtime.deliver(runtime.questions()::answered));
            if (!runtime.questions().ask(handler.question(request, call.version()), asker)) {
                call.refuseAsBusy();
            }
        } catch (RuntimeException e) {
            call.fail(e); // it has changed nothing
        }
    }
}
