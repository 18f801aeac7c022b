package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.SETTINGS_STAY;

import io.rivulet.protocol.message.AlterUserScramCredentialsRequest;
import io.rivulet.protocol.message.AlterUserScramCredentialsRequest.ScramCredentialDeletion;
import io.rivulet.protocol.message.AlterUserScramCredentialsRequest.ScramCredentialUpsertion;
import io.rivulet.protocol.message.AlterUserScramCredentialsResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeUserScramCredentialsRequest;
import io.rivulet.protocol.message.DescribeUserScramCredentialsResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Users with a password. The number is that of iterations, all that a broker tells of a password. */
final class Users extends Settings {
    private static final byte SHA_256 = 1;
    private static final int LEAST_ITERATIONS = 4096;
    private static final int MORE_ITERATIONS = 10_000;
    private static final byte[] SALT = new byte[16];
    private static final byte[] SALTED = new byte[32];

    Users(World world, String name) {
        super(world, name);
    }

    @Override
    void change(ClientConnection to, String user, @Nullable Long value, Consumer<@Nullable Short> answered) {
        AlterUserScramCredentialsRequest request = new AlterUserScramCredentialsRequest();
        if (value == null) {
            request.deletions(List.of(new ScramCredentialDeletion().name(user).mechanism(SHA_256)));
        } else {
            request.upsertions(List.of(new ScramCredentialUpsertion()
                    .name(user)
                    .mechanism(SHA_256)
                    .iterations(Math.toIntExact(value))
                    .salt(SALT)
                    .saltedPassword(SALTED)));
        }
        to.ask(
                ApiKey.ALTER_USER_SCRAM_CREDENTIALS,
                0,
                request,
                AlterUserScramCredentialsResponse.class,
                answer -> answered.accept(
                        answer == null ? null : answer.results().get(0).errorCode()));
    }

    @Override
    Long next(@Nullable Long before) {
        return (long) LEAST_ITERATIONS + random.nextInt(MORE_ITERATIONS);
    }

    @Override
    Map<String, Long> read(Asking asking) {
        DescribeUserScramCredentialsResponse answer = asking.ask(
                ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS,
                0,
                new DescribeUserScramCredentialsRequest().users(null),
                DescribeUserScramCredentialsResponse.class);
        SETTINGS_STAY.require(answer.errorCode() == 0, "%s: error %s", name, answer.errorCode());
        Map<String, Long> found = new TreeMap<>();
        answer.results()
                .forEach(user -> found.put(
                        user.user(), (long) user.credentialInfos().get(0).iterations()));
        return found;
    }
}
