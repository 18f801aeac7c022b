package io.rivulet.bench;

import io.rivulet.bench.hostile.HostileCommand;
import io.rivulet.bench.million.MillionCommand;
import io.rivulet.bench.million.ReadBackCommand;
import io.rivulet.bench.peers.PeersCommand;
import io.rivulet.bench.protocol.CodecCommand;
import io.rivulet.bench.queues.DiskCommand;
import io.rivulet.bench.queues.QueuesCommand;
import io.rivulet.bench.queues.RestartCommand;
import io.rivulet.bench.takeover.TakeoverCommand;
import io.rivulet.bench.versus.VsKafkaCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of {@code bin/rivulet bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measure Rivulet on this machine.",
        synopsisSubcommandLabel = "BENCHMARK",
        commandListHeading = "%nBenchmarks:%n",
        optionListHeading = "%nOptions:%n",
        subcommands = {
            QueuesCommand.class,
            RestartCommand.class,
            DiskCommand.class,
            CodecCommand.class,
            MillionCommand.class,
            ReadBackCommand.class,
            VsKafkaCommand.class,
            TakeoverCommand.class,
            PeersCommand.class,
            HostileCommand.class
        })
public final class Bench {
    private Bench() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Bench()).execute(args));
    }
}
