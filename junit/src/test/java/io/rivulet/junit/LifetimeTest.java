package io.rivulet.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** How long brokers and clients live. The classes of {@link Samples} are run by a JUnit of this test's own. */
final class LifetimeTest {
    @BeforeEach
    void clear() {
        Samples.BROKERS.clear();
    }

    private static EngineExecutionResults run(Class<?>... classes) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(Arrays.stream(classes).map(type -> selectClass(type)).toArray(DiscoverySelector[]::new))
                .execute();
    }

    private static void assertSucceeded(EngineExecutionResults results, int tests) {
        assertThat(results.allEvents().failed().list()).isEmpty();
        assertThat(results.testEvents().succeeded().count()).isEqualTo(tests);
    }

    private static boolean isClosed(RivuletBroker broker) {
        String servers = broker.bootstrapServers();
        int port = Integer.parseInt(servers.substring(servers.indexOf(':') + 1));
        try (Socket open = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !open.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void eachTestHasABroker() {
        assertSucceeded(run(Samples.OfMethod.class), 2);
        assertThat(Samples.BROKERS).hasSize(2).doesNotHaveDuplicates().allMatch(LifetimeTest::isClosed);
    }

    @Test
    void eachClassHasABroker() {
        assertSucceeded(run(Samples.OfClass.class, Samples.OfSubclass.class), 4);
        assertThat(Samples.BROKERS).hasSize(4).allMatch(LifetimeTest::isClosed);
        assertThat(Samples.BROKERS.stream().distinct()).hasSize(2);
    }

    @Test
    void classesShareABrokerIfTheirSettingsAreTheSame() {
        assertSucceeded(run(Samples.Shared.class, Samples.AlsoShared.class, Samples.SharedOtherwise.class), 3);
        assertThat(Samples.BROKERS).hasSize(3).allMatch(LifetimeTest::isClosed);
        assertThat(Samples.BROKERS.get(0)).isSameAs(Samples.BROKERS.get(1)).isNotSameAs(Samples.BROKERS.get(2));
    }

    /** The constructors of both classes have the broker that the tests have, although JUnit calls them first. */
    @Test
    void anInstanceForAllTestsHasTheBrokerOfItsClass() {
        assertSucceeded(run(Samples.OneInstance.class), 2);
        assertThat(Samples.BROKERS).hasSize(4).allMatch(LifetimeTest::isClosed);
        assertThat(Samples.BROKERS.stream().distinct()).hasSize(2);
        assertThat(Samples.BROKERS.get(0)).isSameAs(Samples.BROKERS.get(1));
        assertThat(Samples.BROKERS.get(2)).isSameAs(Samples.BROKERS.get(3));
    }

    @Test
    void clientsAreClosedWithTheTestThatAskedForThem() {
        assertSucceeded(run(Samples.WithClients.class), 2);
    }

    @Test
    void aConstructorCantHaveTheBrokerOfATest() {
        assertFails(Samples.TooEarly.class, "each test has a broker of its own");
    }

    @Test
    void wrongMembersAreNamed() {
        assertFails(Samples.WrongConfig.class, "@Rivulet(config = \"num.partitions\") is not key=value");
        assertFails(Samples.WrongUser.class, "@Rivulet(users = \"alice\") is not name:password");
        assertFails(Samples.TwoUsersInOne.class, "the user alice: a name has no comma");
        assertFails(Samples.WrongTopic.class, "rivulet.create.topics");
        assertFails(Samples.WrongValue.class, "num.partitions");
    }

    private static void assertFails(Class<?> sample, String message) {
        assertThat(run(sample).allEvents().failed().list())
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.getPayload().toString()).contains(message));
    }
}
