package io.rivulet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Machines that can be cut off from each other: network namespaces, and one more that routes between them and this
 * machine. A cut is a rule of the router, for one direction: it drops packets, and tells nobody.
 *
 * <p>The names have the id of this process. What a process has left that was killed is removed by the next one.
 *
 * <p>Owned by: one thread.
 */
final class CutNetwork implements AutoCloseable {
    /** Packets from one machine to another. */
    record Way(Machine from, Machine to) {
        static Collection<Way> fromEachTo(Machine to, Collection<Machine> from) {
            return from.stream().map(machine -> new Way(machine, to)).toList();
        }

        static Collection<Way> toEachFrom(Machine from, Collection<Machine> to) {
            return to.stream().map(machine -> new Way(from, machine)).toList();
        }
    }

    private static final String PREFIX = "rivulet-test-";
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int PATIENCE_SECONDS = 30;
    /** Of the block for tests of networks. */
    private static final String BLOCK = "198.18.";

    private static final int SUBNETS = 256;
    private static final int HERE = 2;
    private static final int WATCHER = 3;
    private static final int FIRST_MACHINE = 4;

    private final String name = PREFIX + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    private final String router = name + "-router";
    private final String linkHere = "rv" + ProcessHandle.current().pid() % 100_000_000;
    private final List<String> namespaces = new ArrayList<>();
    private final Set<Way> cut = new LinkedHashSet<>();
    private final String subnet;
    private final Machine here;
    private final Machine watcher;

    CutNetwork() throws IOException {
        removeLeftovers();
        add(router);
        try {
            run("", "ip", "netns", "exec", router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
            subnet = freeSubnet();
            ipAt(router, "addr", "add", routerHost(), "dev", "lo");
            here = Machine.local(subnet + HERE);
            watcher = Machine.local(subnet + WATCHER);
            ip("link", "add", linkHere, "type", "veth", "peer", "name", "here", "netns", router);
            ip("addr", "add", here.host(), "dev", linkHere);
            ip("addr", "add", watcher.host(), "dev", linkHere);
            ip("link", "set", linkHere, "up");
            ip("route", "add", routerHost(), "dev", linkHere, "src", here.host());
            ip("route", "add", subnet + "0/24", "via", routerHost(), "dev", linkHere, "src", here.host());
            routeTo(here, "here");
            routeTo(watcher, "here");
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Skips the test if namespaces can't be made here; with CI=true it fails. */
    static void require() {
        require("Linux".equals(System.getProperty("os.name")), "the test runs on Linux");
        require("root".equals(System.getProperty("user.name")), "the test runs as root");
        require(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "ip"))),
                "ip is installed (package iproute2)");
        try {
            new CutNetwork().close();
        } catch (IOException e) {
            require(false, "network namespaces can be made; " + e.getMessage());
        }
    }

    private static void require(boolean holds, String what) {
        if ("true".equals(System.getenv("CI"))) {
            assertThat(holds).as(what).isTrue();
        }
        assumeThat(holds).as(what).isTrue();
    }

    private static void removeLeftovers() throws IOException {
        for (String line : ip("netns", "list").split("\n")) {
            String namespace = line.split(" ")[0];
            if (namespace.startsWith(PREFIX)
                    && ProcessHandle.of(Long.parseLong(namespace.split("-")[2])).isEmpty()) {
                remove(namespace);
            }
        }
    }

    private static void remove(String namespace) throws IOException {
        for (String pid : ip("netns", "pids", namespace).split("\n")) {
            if (!pid.isBlank()) {
                ProcessHandle.of(Long.parseLong(pid.strip())).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        ip("netns", "del", namespace);
    }

    private void add(String namespace) throws IOException {
        ip("netns", "add", namespace);
        namespaces.add(namespace);
        ipAt(namespace, "link", "set", "lo", "up");
    }

    private static String freeSubnet() throws IOException {
        long first = ProcessHandle.current().pid();
        for (long i = first; i < first + SUBNETS; i++) {
            String subnet = BLOCK + i % SUBNETS + ".";
            if (ip("route", "show", "root", subnet + "0/24").isBlank()) {
                return subnet;
            }
        }
        throw new IOException("all networks of " + BLOCK + "0.0/16 are in use");
    }

    private String routerHost() {
        return subnet + 1;
    }

    private void routeTo(Machine machine, String link) throws IOException {
        ipAt(router, "link", "set", link, "up");
        ipAt(router, "route", "add", machine.host(), "dev", link, "src", routerHost());
    }

    /** The one that runs the test, which is {@link #add another one} for the rest. */
    Machine here() {
        return here;
    }

    /** This machine, for connections that are bound to its second address. */
    Machine watcher() {
        return watcher;
    }

    /** One more machine. It reaches the others, and nothing else. */
    Machine add() throws IOException {
        int number = FIRST_MACHINE + namespaces.size();
        String namespace = name + "-" + number;
        String link = "m" + number;
        add(namespace);
        Machine machine = new Machine(subnet + number, List.of("ip", "netns", "exec", namespace));
        ip("link", "add", "eth0", "netns", namespace, "type", "veth", "peer", "name", link, "netns", router);
        ipAt(namespace, "addr", "add", machine.host(), "dev", "eth0");
        ipAt(namespace, "link", "set", "eth0", "up");
        routeTo(machine, link);
        ipAt(namespace, "route", "add", routerHost(), "dev", "eth0", "src", machine.host());
        ipAt(namespace, "route", "add", subnet + "0/24", "via", routerHost(), "dev", "eth0", "src", machine.host());
        return machine;
    }

    List<Machine> add(int count) throws IOException {
        List<Machine> machines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            machines.add(add());
        }
        return machines;
    }

    /** All at once. */
    void cut(Collection<Way> ways) throws IOException {
        List<Way> fresh = ways.stream().filter(way -> !cut.contains(way)).toList();
        rules("add", fresh);
        cut.addAll(fresh);
    }

    /** All that were cut, at once. */
    void mend() throws IOException {
        rules("del", cut);
        cut.clear();
    }

    private void rules(String verb, Collection<Way> ways) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (Way way : ways) {
            lines.append("rule " + verb + " pref 10 from " + way.from.host() + " to " + way.to.host() + " blackhole\n");
        }
        run(lines.toString(), "ip", "-n", router, "-batch", "-");
    }

    private static String ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        return run("", command.toArray(String[]::new));
    }

    private static void ipAt(String namespace, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("-n", namespace));
        command.addAll(List.of(arguments));
        String unused = ip(command.toArray(String[]::new));
    }

    private static String run(String input, String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return said;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IOException(String.join(" ", command) + " " + input + "has failed: " + said);
    }

    /** Ends what still runs in the namespaces, too. */
    @Override
    public void close() throws IOException {
        if (ip("link").contains(" " + linkHere + "@")) { // or the kernel removes it some time after its other end
            String unused = ip("link", "del", linkHere);
        }
        for (String namespace : namespaces) {
            remove(namespace);
        }
        namespaces.clear();
    }
}
