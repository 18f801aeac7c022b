package io.rivulet.it.suites;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** Finds the test classes in Kafka's jars. */
final class PublishedTests {
    /** The jars with tests that start brokers. The test jars of other modules have unit tests only. */
    private static final Pattern JARS = Pattern.compile(
            "(kafka-clients-integration-tests|kafka-tools|kafka-server|kafka_2\\.13|kafka-streams-integration-tests"
                    + "|connect-runtime|connect-mirror|connect-file)-[0-9.]+-test\\.jar");

    private PublishedTests() {}

    static Set<String> find() {
        Set<String> found = new TreeSet<>();
        Arrays.stream(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> JARS.matcher(path.getFileName().toString()).matches())
                .forEach(jar -> addTests(jar, found));
        return found;
    }

    private static void addTests(Path jar, Set<String> found) {
        try (JarFile file = new JarFile(jar.toFile())) {
            file.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.endsWith("-info.class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(PublishedTests::isTest)
                    .forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isTest(String name) {
        try {
            Class<?> type = Class.forName(name, false, PublishedTests.class.getClassLoader());
            return !Modifier.isAbstract(type.getModifiers()) && (hasTest(type, Suites.ALL) || hasNestedTests(type));
        } catch (ClassNotFoundException | LinkageError e) {
            // It needs a library that Kafka does not publish with it.
            return name.endsWith("Test");
        }
    }

    /** @param method the name of a method, or "*" for any */
    static boolean hasTest(String type, String method) {
        try {
            return type.equals(Suites.ALL)
                    || hasTest(Class.forName(type, false, PublishedTests.class.getClassLoader()), method);
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static boolean hasTest(Class<?> type, String method) {
        return type != Object.class
                && (Stream.of(type.getDeclaredMethods())
                                .anyMatch(test -> isTest(test)
                                        && (method.equals(Suites.ALL)
                                                || test.getName().equals(method)))
                        || hasTest(type.getSuperclass(), method));
    }

    private static boolean isTest(Method method) {
        return AnnotationSupport.isAnnotated(method, Testable.class);
    }

    private static boolean hasNestedTests(Class<?> type) {
        return Stream.of(type.getDeclaredClasses()).anyMatch(inner -> inner.isAnnotationPresent(Nested.class));
    }
}
