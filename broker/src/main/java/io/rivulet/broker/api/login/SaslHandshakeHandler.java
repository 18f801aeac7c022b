package io.rivulet.broker.api.login;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.FailedLogin;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.sasl.Login;
import io.rivulet.protocol.message.SaslHandshakeRequest;
import io.rivulet.protocol.message.SaslHandshakeResponse;

/** Begins a login with the mechanism that the client has chosen. Tokens follow; those of version 0 have no header. */
final class SaslHandshakeHandler implements Handler<SaslHandshakeRequest> {
    private static final short HEADERS_FROM_VERSION = 1;

    @Override
    public void handle(Call call, SaslHandshakeRequest request) {
        Login login = call.origin().login();
        if (login == null) {
            call.answer(answer(ErrorCode.ILLEGAL_SASL_STATE));
            return;
        }
        boolean unexpected = login.awaitsToken();
        switch (login.choose(request.mechanism(), call.version() < HEADERS_FROM_VERSION)) {
            case ACCEPTED -> call.answer(answer(ErrorCode.NONE).mechanisms(login.mechanisms()));
            case UNSUPPORTED ->
                FailedLogin.answer(
                        call,
                        login,
                        answer(ErrorCode.UNSUPPORTED_SASL_MECHANISM).mechanisms(login.mechanisms()),
                        "the client wants a mechanism that is not enabled");
            default -> {
                if (unexpected) {
                    FailedLogin.answer(
                            call, login, answer(ErrorCode.ILLEGAL_SASL_STATE), "a handshake where a token is due");
                } else {
                    call.answer(answer(ErrorCode.ILLEGAL_SASL_STATE));
                }
            }
        }
    }

    private static SaslHandshakeResponse answer(ErrorCode error) {
        return new SaslHandshakeResponse().errorCode(error.code());
    }
}
