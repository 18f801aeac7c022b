package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** librdkafka, with Debian's kcat. */
@SeveralBrokers
final class KcatIT {
    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeAll
    static void requireKcat() {
        Programs.require("kcat");
    }

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory.resolve("data"));
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({"none,false", "gzip,false", "snappy,true", "lz4,true", "zstd,true"})
    void recordsComeBackInOrder(String codec, boolean idempotent) throws Exception {
        String lines =
                IntStream.range(0, 1000).mapToObj(i -> "key:value-" + i + "\n").collect(Collectors.joining());

        Programs.Outcome sent = Programs.runWithInput(
                directory,
                lines,
                "kcat",
                "-b",
                broker.bootstrapServers(),
                "-P",
                "-t",
                "lines",
                "-K",
                ":",
                "-z",
                codec,
                "-X",
                "enable.idempotence=" + idempotent);
        Programs.Outcome read = kcat("-C", "-t", "lines", "-o", "beginning", "-e", "-q", "-K", ":");

        assertThat(sent)
                .extracting(Programs.Outcome::exitCode, Programs.Outcome::err)
                .containsExactly(0, "");
        assertThat(read.out()).isEqualTo(lines);
    }

    @Test
    void metadataAndOffsetsByTimeArePrinted() throws Exception {
        Programs.runWithInput(directory, "a\nb\n", "kcat", "-b", broker.bootstrapServers(), "-P", "-t", "two");

        assertThat(kcat("-L").out()).contains(TestBroker.COUNT + " brokers", "topic \"two\" with 1 partitions");
        assertThat(kcat("-Q", "-t", "two:0:1").out()).contains("two [0] offset 0");
        assertThat(kcat("-Q", "-t", "two:0:-1").out()).contains("two [0] offset 2");
    }

    private Programs.Outcome kcat(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 3];
        command[0] = "kcat";
        command[1] = "-b";
        command[2] = broker.bootstrapServers();
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        return Programs.run(directory, command);
    }
}
