package io.rivulet.it.suites;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * One test in an XML file of the test plugin. Immutable.
 *
 * @param message of the failure, or the reason why it was skipped
 */
record TestResult(String type, String name, Outcome outcome, String message) {
    private static final Pattern LEFT_OUT = Pattern.compile(".*" + LeftOutCondition.PREFIX + "([a-z-]+): .*");
    /** The kind of tests that Kafka itself disables. */
    static final String KAFKA = "kafka";

    private static final int MESSAGE_LENGTH = 300;

    /** What became of a test. */
    enum Outcome {
        PASSED,
        FAILED,
        LEFT_OUT
    }

    /** Nothing if there is no such directory. */
    static List<TestResult> readAll(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .flatMap(file -> read(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<TestResult> read(Path file) {
        try {
            Element suite = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
            NodeList cases = suite.getElementsByTagName("testcase");
            List<TestResult> results = new ArrayList<>();
            for (int i = 0; i < cases.getLength(); i++) {
                results.add(of(suite.getAttribute("name"), (Element) cases.item(i)));
            }
            return results;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SAXException | ParserConfigurationException e) {
            throw new IllegalStateException(file + " is not a report of the test plugin", e);
        }
    }

    private static TestResult of(String suite, Element test) {
        String type = test.getAttribute("classname").isEmpty() ? suite : test.getAttribute("classname");
        String name = test.getAttribute("name");
        for (String tag : List.of("failure", "error")) {
            if (test.getElementsByTagName(tag).item(0) instanceof Element failure) {
                return new TestResult(type, name, Outcome.FAILED, failure(failure));
            }
        }
        return test.getElementsByTagName("skipped").item(0) instanceof Element skipped
                ? new TestResult(type, name, Outcome.LEFT_OUT, skipped.getAttribute("message"))
                : new TestResult(type, name, Outcome.PASSED, "");
    }

    private static String failure(Element failure) {
        String text = failure.getAttribute("type").replaceAll(".*\\.", "") + " "
                + failure.getAttribute("message")
                        .strip()
                        .replaceAll("\\s+", " ")
                        .replace('`', '\'');
        return text.substring(0, Math.min(text.length(), MESSAGE_LENGTH));
    }

    /** The same test, as if it had not run. */
    TestResult leftOut(Suites.LeftOut why) {
        return new TestResult(type, name, Outcome.LEFT_OUT, LeftOutCondition.message(why));
    }

    /** Of a test that did not run: the kind in suites.txt, or "kafka" if Kafka itself disables it. Otherwise "". */
    String kind() {
        if (outcome != Outcome.LEFT_OUT) {
            return "";
        }
        Matcher matcher = LEFT_OUT.matcher(message);
        return matcher.matches() ? matcher.group(1) : KAFKA;
    }

    /** The same on every broker. */
    String id() {
        return type + "#" + name;
    }

    /** Whether the same test is here a second time, for another arrangement of Kafka's processes. */
    boolean isTwin() {
        return outcome == Outcome.LEFT_OUT && message.contains("the same test");
    }
}
