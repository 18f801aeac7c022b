package io.rivulet.broker.cli;

import io.rivulet.broker.net.BrokerServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Run the broker until SIGTERM or Ctrl-C.",
            "So far it answers ApiVersions and closes the connection on anything else.",
        })
final class StartCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--host",
            defaultValue = "localhost",
            description = "address to listen on (default: ${DEFAULT-VALUE})")
    private String host;

    @Option(
            names = "--port",
            defaultValue = "9092",
            description = "port to listen on, 0 for a free one (default: ${DEFAULT-VALUE})")
    private int port;

    @Override
    public Integer call() {
        long startedNanos = System.nanoTime();
        PrintWriter out = spec.commandLine().getOut();
        try (BrokerServer server = BrokerServer.start(new InetSocketAddress(host, port))) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
            out.printf(
                    "rivulet %s is ready on %s:%d after %d ms%n",
                    BuildInfo.version(),
                    host,
                    server.address().getPort(),
                    (System.nanoTime() - startedNanos) / 1_000_000);
            out.flush();
            server.awaitClosed();
            return 0;
        } catch (IOException e) {
            spec.commandLine().getErr().println("rivulet: " + e.getMessage());
            return 1;
        }
    }
}
