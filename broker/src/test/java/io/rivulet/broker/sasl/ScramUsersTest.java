package io.rivulet.broker.sasl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ScramUsersTest {
    private final ScramUsers users = new ScramUsers();

    private static ScramCredential credential(String password) {
        byte[] salt = ScramUsers.newSalt();
        return Scram.SHA_256.credential(Scram.SHA_256.saltedPassword(password, salt, 4096), salt, 4096);
    }

    private void put(String user, Scram scram, ScramCredential credential) {
        users.apply(0, ScramEntryLayout.entry(user, scram, credential));
    }

    private void remove(String user, Scram scram) {
        users.apply(0, ScramEntryLayout.entry(user, scram, null));
    }

    @Test
    void aSnapshotHasAllUsers() throws IOException {
        ScramCredential first = credential("first");
        put("käthe", Scram.SHA_256, credential("other"));
        put("käthe", Scram.SHA_256, first);
        put("käthe", Scram.SHA_512, credential("second"));
        put("bob", Scram.SHA_512, credential("third"));
        put("gone", Scram.SHA_256, credential("x"));
        remove("gone", Scram.SHA_256);
        remove("gone", Scram.SHA_256);

        ByteArrayOutputStream out = new ByteArrayOutputStream();
        users.snapshot().writeTo(Channels.newChannel(out));
        ScramUsers loaded = new ScramUsers();
        loaded.load(Channels.newChannel(new ByteArrayInputStream(out.toByteArray())));

        assertThat(loaded.names()).containsExactly("bob", "käthe");
        assertThat(loaded.of("käthe").keySet()).containsExactly(Scram.SHA_256, Scram.SHA_512);
        ScramCredential found = Objects.requireNonNull(loaded.find("käthe", Scram.SHA_256));
        assertThat(found.storedKey()).isEqualTo(first.storedKey());
        assertThat(found.serverKey()).isEqualTo(first.serverKey());
        assertThat(found.salt()).isEqualTo(first.salt());
        assertThat(found.iterations()).isEqualTo(4096);
    }

    @Test
    void anUnknownUserHasAlwaysTheSameSaltAndNoPassword() {
        ScramCredential first = users.decoy("unknown", Scram.SHA_512);

        assertThat(users.find("unknown", Scram.SHA_512)).isNull();
        assertThat(users.decoy("unknown", Scram.SHA_512).salt()).isEqualTo(first.salt());
        assertThat(users.decoy("other", Scram.SHA_512).salt()).isNotEqualTo(first.salt());
        assertThat(new ScramUsers().decoy("unknown", Scram.SHA_512).salt()).isNotEqualTo(first.salt());
    }
}
