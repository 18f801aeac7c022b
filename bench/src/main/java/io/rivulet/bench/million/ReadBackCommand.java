package io.rivulet.bench.million;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@link ReadProcess} runs it. Each line of input names queues and a pace. */
@Command(
        name = "read-back",
        hidden = true,
        description = "Reads queues whole, verifies, and prints how many messages in how many seconds.")
public final class ReadBackCommand implements Callable<Integer> {
    @Option(names = "--port", required = true)
    private int port;

    @Option(names = "--layout", required = true)
    private Layout layout = Layout.ONE_TOPIC;

    @Option(names = "--messages-per-queue", required = true)
    private int messagesPerQueue;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            String[] words = line.split(" ");
            ReadBack.Read read = new ReadBack(port, layout, messagesPerQueue, Integer.parseInt(words[2]))
                    .run(IntStream.range(Integer.parseInt(words[0]), Integer.parseInt(words[1]))
                            .toArray());
            out.println(read.messages() + " " + read.seconds());
            out.flush();
        }
        return 0;
    }
}
