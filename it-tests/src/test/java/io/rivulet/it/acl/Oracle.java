package io.rivulet.it.acl;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@link KafkasAuthorizer} with the libraries of one version of Kafka, which are not those of the other tests. */
final class Oracle {
    private static final Class<?> AUTHORIZER = load();
    private static final Map<String, Method> METHODS = Arrays.stream(AUTHORIZER.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .collect(Collectors.toMap(Method::getName, Function.identity()));

    private final Object authorizer;

    Oracle(String superUsers, boolean allowsWithoutRule) {
        try {
            authorizer =
                    AUTHORIZER.getConstructor(String.class, boolean.class).newInstance(superUsers, allowsWithoutRule);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("resource") // its classes are used until the process ends
    private static Class<?> load() {
        List<URL> libraries = new ArrayList<>();
        try {
            File[] jars = Objects.requireNonNull(
                    Path.of("kafka-tools", "target", "lib").toFile().listFiles());
            for (File jar : jars) {
                libraries.add(jar.toURI().toURL());
            }
            libraries.add(
                    KafkasAuthorizer.class.getProtectionDomain().getCodeSource().getLocation());
            ClassLoader loader =
                    new URLClassLoader(libraries.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
            return loader.loadClass(KafkasAuthorizer.class.getName());
        } catch (MalformedURLException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean decide(String question, Object... arguments) {
        return (boolean) call(question, arguments);
    }

    @SuppressWarnings("unchecked") // the type that the method has
    List<List<String>> rules(List<String> filter) {
        return (List<List<String>>) call("rules", filter);
    }

    void change(String method, List<String> rule) {
        call(method, rule);
    }

    private Object call(String method, Object... arguments) {
        try {
            return Objects.requireNonNull(METHODS.get(method)).invoke(authorizer, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
