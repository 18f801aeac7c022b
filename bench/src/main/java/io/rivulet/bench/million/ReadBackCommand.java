package io.rivulet.bench.million;

import io.rivulet.bench.lab.BenchCommand;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The other side of {@link ReadProcess}. Each line of input has a range of queues and a rate. */
@Command(
        name = "read-back",
        hidden = true,
        description = "Read and verify queues. Print the numbers of messages and seconds.")
public final class ReadBackCommand extends BenchCommand {
    @Option(names = "--port", required = true)
    private int port;

    @Option(names = "--layout", required = true)
    private Layout layout = Layout.ONE_TOPIC;

    @Option(names = "--messages-per-queue", required = true)
    private int messagesPerQueue;

    @Override
    public Integer call() throws Exception {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            String[] words = line.split(" ");
            ReadBack.Read read = new ReadBack(port, layout, messagesPerQueue, Integer.parseInt(words[2]))
                    .run(IntStream.range(Integer.parseInt(words[0]), Integer.parseInt(words[1]))
                            .toArray());
            out().println(read.messages() + " " + read.seconds());
            out().flush();
        }
        return 0;
    }
}
