package io.rivulet.broker.api.login;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.FailedLogin;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.sasl.Login;
import io.rivulet.broker.sasl.Step;
import io.rivulet.protocol.message.SaslAuthenticateRequest;
import io.rivulet.protocol.message.SaslAuthenticateResponse;

/** Passes tokens to the login. */
final class SaslAuthenticateHandler implements Handler<SaslAuthenticateRequest> {
    private static final short LIFETIME_FROM_VERSION = 1;

    @Override
    public void handle(Call call, SaslAuthenticateRequest request) {
        Login login = call.origin().login();
        if (login == null || !login.awaitsToken()) {
            call.answer(new SaslAuthenticateResponse()
                    .errorCode(ErrorCode.ILLEGAL_SASL_STATE.code())
                    .errorMessage("SaslAuthenticate request received after successful authentication"));
            return;
        }
        login.token(request.authBytes(), step -> call.onEventLoop(() -> answer(call, login, login.take(step))));
    }

    private static void answer(Call call, Login login, Step step) {
        String refusal = step.refusal();
        if (refusal != null) {
            FailedLogin.answer(
                    call,
                    login,
                    new SaslAuthenticateResponse()
                            .errorCode(ErrorCode.SASL_AUTHENTICATION_FAILED.code())
                            .errorMessage(refusal),
                    refusal);
            return;
        }
        SaslAuthenticateResponse response = new SaslAuthenticateResponse().authBytes(step.token());
        call.answer(
                call.version() < LIFETIME_FROM_VERSION ? response : response.sessionLifetimeMs(step.lifetimeMillis()));
    }
}
