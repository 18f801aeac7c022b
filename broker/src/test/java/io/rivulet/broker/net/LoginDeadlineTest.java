package io.rivulet.broker.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.sasl.Login;
import io.rivulet.broker.sasl.Logins;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoginDeadlineTest {
    private final Login login = login();

    private static Login login() {
        BrokerConfig config =
                BrokerConfig.of(Map.of("listeners", "SASL_PLAINTEXT://localhost:0", "rivulet.users", "alice:secret"));
        try (Logins logins = new Logins(config, new ScramUsers(), new FailureLatch())) {
            return Objects.requireNonNull(logins.find("SASL_PLAINTEXT")).login();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void passSeconds(EmbeddedChannel channel, long seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    @ParameterizedTest
    @CsvSource({"600000,30", "5000,5", "-1,30"})
    void aConnectionWithoutALoginIsClosed(long idleMillis, long seconds) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(new LoginDeadline(login, false, idleMillis));
        channel.pipeline().fireChannelActive();

        passSeconds(channel, seconds - 1);
        assertThatCode(channel::checkException).doesNotThrowAnyException();
        passSeconds(channel, 1);
        assertThatThrownBy(channel::checkException)
                .isInstanceOf(RejectedRequestException.class)
                .hasMessage("its client does not log in");
    }

    /** It was relayed while another broker owned the shard, and is given to the new owner: this broker. */
    @Test
    void aConnectionThatIsActiveBeforeHasADeadline() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        assertThat(channel.isActive()).isTrue();
        channel.pipeline().addLast(new LoginDeadline(login, false, 5000));

        passSeconds(channel, 5);
        assertThatThrownBy(channel::checkException)
                .isInstanceOf(RejectedRequestException.class)
                .hasMessage("its client does not log in");
    }

    @Test
    void afterTheLoginThereIsNoDeadline() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(new LoginDeadline(login, false, 0));
        channel.pipeline().fireChannelActive();
        login.choose("PLAIN", false);
        login.token("\0alice\0secret".getBytes(UTF_8), login::take);

        assertThat(login.isLoggedIn()).isTrue();
        passSeconds(channel, 100);
        assertThatCode(channel::checkException).doesNotThrowAnyException();
        assertThat(channel.pipeline().get(LoginDeadline.class)).isNull();
    }
}
