package io.rivulet.junit;

import io.rivulet.junit.Rivulet.Lifetime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Starts the brokers that {@link Rivulet} asks for, and stops them when their lifetime ends. What belongs to a class or
 * a test is in the store of its context, where JUnit closes it; contexts of tests see that of their class. Stateless.
 */
final class RivuletExtension implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(RivuletExtension.class);

    /** Closes something with the context that it belongs to. JUnit before 5.13 knows only the deprecated interface. */
    @SuppressWarnings({"deprecation", "try"})
    private record Closing<T>(T value, AutoCloseable closing) implements Store.CloseableResource, AutoCloseable {
        @Override
        public void close() throws Exception {
            closing.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        beginClass(context);
    }

    /** Does nothing the second time. JUnit makes an instance for all tests of a class before it calls beforeAll. */
    private static void beginClass(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        Optional<Rivulet> own = AnnotationSupport.findAnnotation(type, Rivulet.class);
        Store store = store(context);
        if (own.isEmpty() || store.get(type) != null) {
            return; // without an annotation it is a nested class, which sees what the class around it has
        }
        Rivulet wanted = own.get();
        store.put(type, wanted);
        store.put(Rivulet.class, wanted);
        if (wanted.lifetime() == Lifetime.CLASS) {
            begin(store, start(wanted), wanted);
        } else if (wanted.lifetime() == Lifetime.SHARED) {
            Closing<?> shared = stored(store(context.getRoot()), Settings.of(wanted), () -> start(wanted));
            begin(store, new Closing<>(shared.value, () -> {}), wanted); // it lives longer than this store
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Rivulet wanted = wanted(context);
        if (wanted.lifetime() == Lifetime.METHOD) {
            begin(store(context), start(wanted), wanted);
        }
    }

    private static Closing<RivuletBroker> start(Rivulet wanted) {
        RivuletBroker broker = Settings.of(wanted).start();
        return new Closing<>(broker, broker);
    }

    private static void begin(Store store, Closing<?> broker, Rivulet wanted) {
        store.put(RivuletBroker.class, broker);
        ((RivuletBroker) broker.value).createTopics(String.join(",", List.of(wanted.topics())));
    }

    /** A test whose broker has failed must not look as if its own assertions were all. */
    @Override
    public void afterEach(ExtensionContext context) {
        RivuletBroker broker = find(context);
        Throwable failure = broker == null ? null : broker.failure();
        if (failure != null) {
            throw new IllegalStateException("the broker has failed", failure);
        }
    }

    // ---- parameters ----

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == RivuletBroker.class
                || type == RivuletClients.class
                || (type == String.class && parameter.isAnnotated(BootstrapServers.class));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        beginClass(context); // if this is a constructor, it may be the first call
        RivuletBroker broker = find(context);
        if (broker == null) {
            throw new ParameterResolutionException("each test has a broker of its own (Lifetime.METHOD), so only tests,"
                    + " @BeforeEach and @AfterEach can have it as a parameter");
        }
        Class<?> type = parameter.getParameter().getType();
        if (type == RivuletClients.class) {
            return clients(context, broker);
        }
        return type == String.class ? broker.bootstrapServers() : broker;
    }

    private static Object clients(ExtensionContext context, RivuletBroker broker) {
        try {
            String key = "clients of " + context.getUniqueId(); // stores show what those of classes around have
            return stored(store(context), key, () -> newClients(broker)).value;
        } catch (NoClassDefFoundError e) {
            throw new ParameterResolutionException("RivuletClients needs kafka-clients on the class path", e);
        }
    }

    private static Closing<RivuletClients> newClients(RivuletBroker broker) {
        RivuletClients clients = new RivuletClients(broker);
        return new Closing<>(clients, clients::close);
    }

    /** The broker of the test or of its class; null before it starts. */
    private static @Nullable RivuletBroker find(ExtensionContext context) {
        if (wanted(context).lifetime() == Lifetime.METHOD
                && context.getTestMethod().isEmpty()) {
            return null; // what the store has then is the broker of a class around this one
        }
        Closing<?> broker = store(context).get(RivuletBroker.class, Closing.class);
        return broker == null ? null : (RivuletBroker) broker.value;
    }

    private static Rivulet wanted(ExtensionContext context) {
        return Objects.requireNonNull(store(context).get(Rivulet.class, Rivulet.class));
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }

    /** What the store has, or else what is made now. JUnit 5 has no other method for this. */
    @SuppressWarnings("deprecation")
    private static Closing<?> stored(Store store, Object key, Supplier<Closing<?>> made) {
        return Objects.requireNonNull(store.getOrComputeIfAbsent(key, missing -> made.get(), Closing.class));
    }
}
