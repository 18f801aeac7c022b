package io.rivulet.bench.million;

import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What {@link ReadProcess} runs. */
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

    @Option(names = "--from", required = true)
    private int from;

    @Option(names = "--to", required = true)
    private int to;

    @Option(names = "--messages-per-second", required = true)
    private int messagesPerSecond;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        ReadBack.Read read = new ReadBack(port, layout, messagesPerQueue, messagesPerSecond)
                .run(IntStream.range(from, to).toArray());
        spec.commandLine().getOut().println(read.messages() + " " + read.seconds());
        return 0;
    }
}
