package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** The base of tools that print data, for people or for programs. Owned by the main thread. */
abstract class DataTool extends Tool {
    @Option(names = "--json", description = "print JSON: one document, on standard output")
    private boolean json;

    @Override
    final void run(BrokerConnection broker, PrintWriter out) throws IOException {
        Output output = new Output(out, json);
        run(broker, output);
        output.end();
    }

    abstract void run(BrokerConnection broker, Output out) throws IOException;
}
