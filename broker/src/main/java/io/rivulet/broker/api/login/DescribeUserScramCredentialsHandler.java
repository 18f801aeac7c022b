package io.rivulet.broker.api.login;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.sasl.Scram;
import io.rivulet.broker.sasl.ScramCredential;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.protocol.message.DescribeUserScramCredentialsRequest;
import io.rivulet.protocol.message.DescribeUserScramCredentialsRequest.UserName;
import io.rivulet.protocol.message.DescribeUserScramCredentialsResponse;
import io.rivulet.protocol.message.DescribeUserScramCredentialsResponse.CredentialInfo;
import io.rivulet.protocol.message.DescribeUserScramCredentialsResponse.DescribeUserScramCredentialsResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes users of SCRAM without their keys: those that are named, or all. */
record DescribeUserScramCredentialsHandler(ScramUsers users) implements Handler<DescribeUserScramCredentialsRequest> {
    @Override
    public void handle(Call call, DescribeUserScramCredentialsRequest request) {
        List<UserName> wanted = request.users();
        if (!call.access().mayCluster(Operation.DESCRIBE)) {
            call.answer(denied(wanted == null ? List.of() : wanted));
            return;
        }
        Map<String, Boolean> repeated = new LinkedHashMap<>();
        if (wanted == null || wanted.isEmpty()) {
            users.names().forEach(name -> repeated.put(name, false));
        } else {
            wanted.forEach(user -> repeated.merge(user.name(), false, (before, again) -> true));
        }
        List<DescribeUserScramCredentialsResult> results = new ArrayList<>();
        repeated.forEach((name, isRepeated) -> results.add(isRepeated ? duplicate(name) : describe(name)));
        call.answer(new DescribeUserScramCredentialsResponse().results(results));
    }

    private static DescribeUserScramCredentialsResponse denied(List<UserName> wanted) {
        short code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED.code();
        String reason = "Cluster authorization failed.";
        return new DescribeUserScramCredentialsResponse()
                .errorCode(code)
                .errorMessage(reason)
                .results(wanted.stream()
                        .map(user -> new DescribeUserScramCredentialsResult()
                                .errorCode(code)
                                .errorMessage(reason))
                        .toList());
    }

    private static DescribeUserScramCredentialsResult duplicate(String name) {
        return new DescribeUserScramCredentialsResult()
                .user(name)
                .errorCode(ErrorCode.DUPLICATE_RESOURCE.code())
                .errorMessage("Cannot describe SCRAM credentials for the same user twice in a single request: " + name);
    }

    private DescribeUserScramCredentialsResult describe(String name) {
        DescribeUserScramCredentialsResult result = new DescribeUserScramCredentialsResult().user(name);
        Map<Scram, ScramCredential> known = users.of(name);
        if (known.isEmpty()) {
            return result.errorCode(ErrorCode.RESOURCE_NOT_FOUND.code())
                    .errorMessage("Attempt to describe a user credential that does not exist: " + name);
        }
        List<CredentialInfo> infos = new ArrayList<>();
        known.forEach((scram, credential) ->
                infos.add(new CredentialInfo().mechanism(scram.code()).iterations(credential.iterations())));
        return result.credentialInfos(infos);
    }
}
