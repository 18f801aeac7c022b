package io.rivulet.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.junit.RivuletBroker;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.TestContextManager;

/** How long brokers live, and who shares them; by classes that JUnit does not run. */
final class ContextsTest {
    @Configuration
    static class Application {}

    @ContextConfiguration(classes = Application.class)
    @EmbeddedRivulet(topics = "orders:2")
    static class First {}

    @ContextConfiguration(classes = Application.class)
    @EmbeddedRivulet(topics = "orders:2")
    static class Same {}

    @ContextConfiguration(classes = Application.class)
    @EmbeddedRivulet(topics = "orders:3")
    static class Other {}

    @ContextConfiguration(classes = Application.class)
    @EmbeddedRivulet(users = "alice")
    static class Wrong {}

    @ContextConfiguration(classes = WithBean.class)
    static class AsBean {}

    @Configuration
    @Import(RivuletConfiguration.class)
    static class WithBean {
        @Bean
        RivuletBroker broker() {
            return RivuletBroker.inMemoryOrTemp().start();
        }
    }

    @ContextHierarchy({@ContextConfiguration(classes = Application.class), @ContextConfiguration(classes = Below.class)
    })
    @EmbeddedRivulet(topics = "orders:4")
    static class WithParent {}

    @Configuration
    static class Below {}

    private static ConfigurableApplicationContext context(Class<?> test) {
        ApplicationContext context =
                new TestContextManager(test).getTestContext().getApplicationContext();
        return (ConfigurableApplicationContext) context;
    }

    private static String address(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("spring.kafka.bootstrap-servers");
    }

    @Test
    void equalAnnotationsShareABroker() {
        assertThat(address(context(Same.class))).isEqualTo(address(context(First.class)));
        assertThat(address(context(Other.class))).isNotEqualTo(address(context(First.class)));
    }

    @Test
    void aBrokerEndsWithItsContext() {
        ConfigurableApplicationContext context = context(Other.class);
        String[] place = address(context).split(":", 2);
        assertThat(context.getBean(RivuletBroker.class).failure()).isNull();

        context.close();

        assertThatThrownBy(() -> new Socket(InetAddress.getByName(place[0]), Integer.parseInt(place[1])).close())
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void aBeanIsFoundToo() {
        ConfigurableApplicationContext context = context(AsBean.class);

        assertThat(address(context))
                .isEqualTo(context.getBean(RivuletBroker.class).bootstrapServers());
    }

    @Test
    void contextsOfAHierarchyHaveOneBroker() {
        ConfigurableApplicationContext below = context(WithParent.class);
        ApplicationContext above = Objects.requireNonNull(below.getParent());

        assertThat(address(below)).isEqualTo(address((ConfigurableApplicationContext) above));
        assertThat(below.getBean(RivuletBroker.class)).isSameAs(above.getBean(RivuletBroker.class));
    }

    @Test
    void aMistakeIsNamed() {
        assertThatThrownBy(() -> context(Wrong.class))
                .hasStackTraceContaining("@EmbeddedRivulet(users = \"alice\") is not name:password");
    }
}
