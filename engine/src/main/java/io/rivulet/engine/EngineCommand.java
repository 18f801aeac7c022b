package io.rivulet.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a member of ZooKeeper and a bookie until the process is ended. */
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Run what a cluster keeps its commit log on: a member of ZooKeeper, and a bookie of BookKeeper.",
            "One engine on each of three machines survives the loss of one. The data of each is its own."
        })
public final class EngineCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(EngineCommand.class);

    @Spec
    private CommandSpec spec;

    @Option(names = "--data", required = true, description = "directory of this engine; it is made")
    private Path data;

    @Option(
            names = "--registry",
            required = true,
            paramLabel = "HOST:PORT,...",
            description = "all members of ZooKeeper, in the same order on every machine; a member uses its port and the"
                    + " next two")
    private String registry;

    @Option(names = "--id", required = true, description = "which of them this machine is, from 1")
    private int id;

    @Option(names = "--bookie-port", defaultValue = "3181", description = "port of the bookie (default: 3181)")
    private int bookiePort;

    @Option(
            names = "--advertise",
            paramLabel = "HOST",
            description = "how brokers and other engines reach this bookie (default: the host of its member)")
    private String advertised;

    @Option(names = "--keeper", description = "run the member of ZooKeeper alone")
    private boolean keeperOnly;

    @Option(names = "--bookie", description = "run the bookie alone")
    private boolean bookieOnly;

    @Override
    public Integer call() throws Exception {
        if (keeperOnly && bookieOnly) {
            throw new ParameterException(spec.commandLine(), "--keeper and --bookie: leave both out to run both");
        }
        try {
            run(Registry.of(registry));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return 0;
    }

    private void run(Registry members) throws Exception {
        EngineEnd.boundClosing();
        Path directory = data.toAbsolutePath().normalize();
        Files.createDirectories(directory);
        if (keeperOnly) {
            keeper(directory, members).run();
            return;
        }
        Registry.Member self = members.member(id);
        String host = advertised == null ? self.host() : advertised;
        boolean isLoopback = InetAddress.getByName(host).isLoopbackAddress();
        if (isLoopback) {
            LOG.warn("{} is reached from this machine only", host);
        }
        if (!bookieOnly) {
            inBackground(keeper(directory, members));
        }
        Bookie bookie = new Bookie(directory.resolve("bookie"), members, host, bookiePort, isLoopback);
        LOG.info("Bookie {} at {}:{}, configured by {}", bookie.id(), host, bookiePort, bookie.file());
        bookie.run();
    }

    private KeeperMember keeper(Path directory, Registry members) throws IOException {
        KeeperMember keeper = new KeeperMember(directory.resolve("keeper"), members, id);
        LOG.info("ZooKeeper at {}, configured by {}", members.member(id), keeper.file());
        return keeper;
    }

    /** The process ends with it. */
    private static void inBackground(KeeperMember keeper) {
        Thread thread = new Thread(
                () -> {
                    try {
                        keeper.run();
                        throw new IOException("it has ended");
                    } catch (Throwable e) {
                        EngineEnd.fail("ZooKeeper", e);
                    }
                },
                "keeper");
        thread.start();
    }

    /** Says why, if that is the user's to mend. */
    private static int refused(Exception failure) throws Exception {
        if (!(failure instanceof IOException)) {
            throw failure;
        }
        LOG.error("{}", failure instanceof FileSystemException ? failure.toString() : failure.getMessage());
        return 1;
    }

    public static void main(String[] args) {
        int code = 1;
        try {
            EngineEnd.watchThreads();
            code = new CommandLine(new EngineCommand())
                    .setExecutionExceptionHandler((failure, command, parsed) -> refused(failure))
                    .execute(args);
        } catch (Throwable e) {
            EngineEnd.fail("the start", e);
        }
        if (code != 0) {
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }
}
