package io.rivulet.broker.tool;

import io.rivulet.broker.json.JsonText;
import io.rivulet.broker.json.PlainText;
import io.rivulet.store.shard.ShardService;
import io.rivulet.store.shard.ShardStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what ZooKeeper and the bookies say about a log. It needs no broker. Owned by: the main thread. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Print who owns a log that is kept in a cluster, since when, which brokers and bookies are alive, and the"
                    + " ledgers of the log.",
            "It asks ZooKeeper and the bookies, so it answers without a broker, and it changes nothing. Exit code 1 if"
                    + " they do not answer, or if there is no such log.",
        })
public final class ClusterStatusTool implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "host:port,.../NAME",
            description =
                    "the value of rivulet.cluster: all members of ZooKeeper, and the name of the log if it has one")
    private String address;

    @Option(
            names = "--ledgers",
            paramLabel = "number",
            description = "so many of the last ledgers are listed; JSON always has all (default: ${DEFAULT-VALUE})",
            defaultValue = "10")
    private int ledgers;

    @Option(
            names = "--orphans",
            description =
                    "also find ledgers that were made for the log and do not belong to it; reads the metadata of all"
                            + " ledgers of the bookies")
    private boolean orphans;

    @Option(
            names = "--timeout-ms",
            paramLabel = "millis",
            description = "the longest time to wait (default: ${DEFAULT-VALUE})",
            defaultValue = "30000")
    private long timeoutMillis;

    @Option(names = "--json", description = "print one JSON document")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        ShardService service =
                ServiceLoader.load(ShardService.class).findFirst().orElse(null);
        if (service == null) {
            return failed("no jar of the class path knows clusters; bin/rivulet of the sources adds them");
        }
        FutureTask<ShardStatus> asking = new FutureTask<>(() -> service.status(address, orphans));
        Thread asker = new Thread(asking, "status");
        asker.setDaemon(true);
        asker.start();
        try {
            print(asking.get(timeoutMillis, TimeUnit.MILLISECONDS));
            return 0;
        } catch (TimeoutException e) {
            return failed("no answer from " + address + " within " + timeoutMillis + " ms");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            return failed(cause instanceof IOException ? String.valueOf(cause.getMessage()) : String.valueOf(cause));
        }
    }

    private void print(ShardStatus status) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(JsonText.of(ClusterStatusText.json(status)));
        } else {
            ClusterStatusText.print(status, System.currentTimeMillis(), ledgers, out);
        }
        out.flush();
    }

    private int failed(String why) {
        spec.commandLine().getErr().println("Error: " + PlainText.of(why));
        return 1;
    }
}
