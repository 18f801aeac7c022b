package io.rivulet.broker.api.login;

import io.rivulet.broker.call.Route;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.store.Store;
import java.util.List;

/** The routes of logins and users. */
public final class LoginApis {
    private LoginApis() {}

    public static List<Route> routes(Store store, ScramUsers users) {
        return List.of(
                Route.of(ApiKey.SASL_HANDSHAKE, new SaslHandshakeHandler()).at(Route.Place.EVENT_LOOP),
                Route.of(ApiKey.SASL_AUTHENTICATE, new SaslAuthenticateHandler())
                        .at(Route.Place.EVENT_LOOP),
                Route.of(ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS, new DescribeUserScramCredentialsHandler(users)),
                Route.of(ApiKey.ALTER_USER_SCRAM_CREDENTIALS, new AlterUserScramCredentialsHandler(store, users)));
    }
}
