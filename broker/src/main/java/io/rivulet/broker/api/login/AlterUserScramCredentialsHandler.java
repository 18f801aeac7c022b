package io.rivulet.broker.api.login;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.sasl.Scram;
import io.rivulet.broker.sasl.ScramCredential;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.protocol.message.AlterUserScramCredentialsRequest;
import io.rivulet.protocol.message.AlterUserScramCredentialsRequest.ScramCredentialDeletion;
import io.rivulet.protocol.message.AlterUserScramCredentialsRequest.ScramCredentialUpsertion;
import io.rivulet.protocol.message.AlterUserScramCredentialsResponse;
import io.rivulet.protocol.message.AlterUserScramCredentialsResponse.AlterUserScramCredentialsResult;
import io.rivulet.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes and removes what users have for SCRAM. Each user is one change; it happens, or has an error. */
record AlterUserScramCredentialsHandler(Store store, ScramUsers users)
        implements Handler<AlterUserScramCredentialsRequest> {
    private static final int PART = 100;

    /** @param credential null to remove it */
    private record Change(
            String user, Scram scram, @Nullable ScramCredential credential) {}

    /** What happens to the users of one request, in its order. Owned by: one call. */
    private static final class Plan {
        private final Map<String, Change> changes = new LinkedHashMap<>();
        private final Map<String, RefusedException> refusals = new LinkedHashMap<>();

        void add(String user, Supplier<Change> change) {
            if (refusals.containsKey(user)) {
                return;
            }
            if (changes.remove(user) != null) {
                refusals.put(
                        user,
                        new RefusedException(
                                ErrorCode.DUPLICATE_RESOURCE,
                                "A user credential cannot be altered twice in the same request"));
                return;
            }
            try {
                changes.put(user, change.get());
            } catch (RefusedException e) {
                refusals.put(user, e);
            }
        }
    }

    @Override
    public void handle(Call call, AlterUserScramCredentialsRequest request) {
        Plan plan = new Plan();
        boolean allowed = call.access().mayCluster(Operation.ALTER);
        for (ScramCredentialDeletion deletion : request.deletions()) {
            plan.add(deletion.name(), () -> allowed ? removal(deletion) : denied());
        }
        for (ScramCredentialUpsertion upsertion : request.upsertions()) {
            plan.add(upsertion.name(), () -> allowed ? replacement(upsertion) : denied());
        }
        List<Change> changes = List.copyOf(plan.changes.values());
        Map<String, RefusedException> refused = new ConcurrentHashMap<>(plan.refusals);
        Futures.inParts(
                changes.size(),
                PART,
                call.origin().eventLoop(),
                (from, to) -> Futures.allOf(changes.subList(from, to).stream()
                        .map(change -> apply(change, refused))
                        .toArray(CompletableFuture[]::new)),
                () -> call.answer(response(plan, refused)));
    }

    private CompletableFuture<Void> apply(Change change, Map<String, RefusedException> refused) {
        return Futures.attempt(
                () -> users.change(store, change.user(), change.scram(), change.credential()),
                refusal -> refused.put(change.user(), refusal));
    }

    private static Change denied() {
        throw new RefusedException(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "Cluster authorization failed.");
    }

    private Change removal(ScramCredentialDeletion deletion) {
        Scram scram = require(deletion.name(), deletion.mechanism());
        if (!users.of(deletion.name()).containsKey(scram)) {
            throw new RefusedException(
                    ErrorCode.RESOURCE_NOT_FOUND, "Attempt to delete a user credential that does not exist");
        }
        return new Change(deletion.name(), scram, null);
    }

    private Change replacement(ScramCredentialUpsertion upsertion) {
        Scram scram = require(upsertion.name(), upsertion.mechanism());
        if (upsertion.iterations() < Scram.MIN_ITERATIONS) {
            throw unacceptable("Too few iterations");
        }
        if (upsertion.iterations() > Scram.MAX_ITERATIONS) {
            throw unacceptable("Too many iterations");
        }
        if (upsertion.salt().length > ScramUsers.MAX_SALT_BYTES
                || upsertion.saltedPassword().length > ScramUsers.MAX_SALT_BYTES) {
            throw unacceptable("The salt or the salted password is longer than " + ScramUsers.MAX_SALT_BYTES);
        }
        return new Change(
                upsertion.name(),
                scram,
                scram.credential(upsertion.saltedPassword(), upsertion.salt(), upsertion.iterations()));
    }

    private Scram require(String user, byte mechanism) {
        if (user.isEmpty()) {
            throw unacceptable("Username must not be empty");
        }
        if (user.length() > ScramUsers.MAX_NAME_CHARS) {
            throw unacceptable("The name is longer than " + ScramUsers.MAX_NAME_CHARS + " characters");
        }
        Scram scram = Scram.ofCode(mechanism);
        if (scram == null) {
            throw new RefusedException(ErrorCode.UNSUPPORTED_SASL_MECHANISM, "Unknown SCRAM mechanism");
        }
        if (users.isConfigured(user)) {
            throw unacceptable("The user is set by rivulet.users, and does not change while the broker runs");
        }
        return scram;
    }

    private static RefusedException unacceptable(String reason) {
        return new RefusedException(ErrorCode.UNACCEPTABLE_CREDENTIAL, reason);
    }

    private static AlterUserScramCredentialsResponse response(Plan plan, Map<String, RefusedException> refused) {
        List<AlterUserScramCredentialsResult> results = new ArrayList<>();
        plan.changes.keySet().forEach(user -> {
            if (!refused.containsKey(user)) {
                results.add(new AlterUserScramCredentialsResult().user(user).errorMessage(null));
            }
        });
        refused.forEach((user, refusal) -> results.add(new AlterUserScramCredentialsResult()
                .user(user)
                .errorCode(refusal.code().code())
                .errorMessage(refusal.getMessage())));
        return new AlterUserScramCredentialsResponse().results(results);
    }
}
