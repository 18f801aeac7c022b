package io.rivulet.it.suites;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.apache.kafka.common.security.auth.PlaintextAuthenticationContext;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/**
 * The class of a test that says who the clients of a listener without TLS and login are. It stays in this process: a
 * {@link PrincipalProxy} asks it, and logs in for the client. Immutable.
 *
 * @param names all users that it may name
 */
record TestPrincipals(KafkaPrincipalBuilder builder, Set<String> names) {
    private static final String KEY = "principal.builder.class";

    /** Null if the test has no such class for the listener, or if a proxy can't stand in for it. */
    static @Nullable TestPrincipals of(Map<?, ?> wanted, Listeners.Listener listener) {
        Object ofListener = wanted.get(listener.key(KEY));
        Object value = ofListener == null ? wanted.get(KEY) : ofListener;
        if (value == null || value.toString().isBlank() || listener.protocol() != SecurityProtocol.PLAINTEXT) {
            return null;
        }
        try {
            Class<?> type = value instanceof Class<?> found ? found : Class.forName(value.toString());
            KafkaPrincipalBuilder builder =
                    (KafkaPrincipalBuilder) type.getConstructor().newInstance();
            Set<String> names = new HashSet<>();
            for (KafkaPrincipal principal : principals(type)) {
                names.add(principal.getName());
            }
            names.add(principal(builder, listener.name()).getName());
            return new TestPrincipals(builder, Set.copyOf(names));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    KafkaPrincipal principal(String listener) {
        return principal(builder, listener);
    }

    private static KafkaPrincipal principal(KafkaPrincipalBuilder builder, String listener) {
        return builder.build(new PlaintextAuthenticationContext(InetAddress.getLoopbackAddress(), listener));
    }

    /** The constants of the test: its builder may choose among them. */
    private static List<KafkaPrincipal> principals(Class<?> builder) throws ReflectiveOperationException {
        Class<?> test = builder.getEnclosingClass();
        List<KafkaPrincipal> found = new ArrayList<>();
        if (test == null) {
            return found;
        }
        for (Field field : test.getDeclaredFields()) {
            if (isStatic(field) && field.getType() == KafkaPrincipal.class) {
                field.setAccessible(true);
                found.add((KafkaPrincipal) field.get(null));
            }
        }
        for (Method method : test.getDeclaredMethods()) {
            if (isStatic(method) && method.getParameterCount() == 0 && method.getReturnType() == KafkaPrincipal.class) {
                found.add((KafkaPrincipal) method.invoke(null));
            }
        }
        return found;
    }

    private static boolean isStatic(Member member) {
        return Modifier.isStatic(member.getModifiers());
    }
}
