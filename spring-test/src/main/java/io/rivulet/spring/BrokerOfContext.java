package io.rivulet.spring;

import io.rivulet.junit.RivuletBroker;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Starts a broker before a context, which then closes it. Immutable; equal ones may share a context, and so a broker.
 *
 * @param addressProperty a further property for the address; empty if there is none
 */
record BrokerOfContext(
        List<String> topics, List<String> config, boolean tls, List<String> users, String addressProperty)
        implements ContextCustomizer {
    private static final String BEAN = "rivuletBroker";

    static BrokerOfContext of(EmbeddedRivulet wanted) {
        return new BrokerOfContext(
                List.of(wanted.topics()),
                List.of(wanted.config()),
                wanted.tls(),
                List.of(wanted.users()),
                wanted.bootstrapServersProperty());
    }

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
        RivuletBroker broker = ofParent(merged);
        if (broker == null) {
            broker = start();
            DefaultSingletonBeanRegistry beans = (DefaultSingletonBeanRegistry) context.getBeanFactory();
            beans.registerSingleton(BEAN, broker);
            beans.registerDisposableBean(BEAN, broker::close);
        }
        Map<String, Object> properties = BrokerProperties.of(broker);
        if (!addressProperty.isEmpty()) {
            properties.put(addressProperty, broker.bootstrapServers());
        }
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("rivulet", properties));
    }

    /** Spring customizes each context of a hierarchy. Those of one test have one broker, which the highest starts. */
    private @Nullable RivuletBroker ofParent(MergedContextConfiguration merged) {
        MergedContextConfiguration above = merged.getParent();
        ApplicationContext parent = merged.getParentApplicationContext();
        return above != null && parent != null && above.getContextCustomizers().contains(this)
                ? parent.getBean(BEAN, RivuletBroker.class)
                : null;
    }

    private RivuletBroker start() {
        RivuletBroker.Plan plan = RivuletBroker.inMemoryOrTemp();
        for (String pair : config) {
            String[] both = split(pair, "=", "config", "key=value");
            plan.with(both[0].strip(), both[1].strip());
        }
        for (String user : users) {
            String[] both = split(user, ":", "users", "name:password");
            plan.withUser(both[0], both[1]);
        }
        if (tls) {
            plan.withTls();
        }
        RivuletBroker broker = plan.start();
        try {
            broker.createTopics(String.join(",", topics));
            return broker;
        } catch (RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    private static String[] split(String text, String separator, String member, String form) {
        String[] both = text.split(separator, 2);
        if (both.length < 2 || both[0].isEmpty()) {
            throw new IllegalArgumentException("@EmbeddedRivulet(" + member + " = \"" + text + "\") is not " + form);
        }
        return both;
    }
}
