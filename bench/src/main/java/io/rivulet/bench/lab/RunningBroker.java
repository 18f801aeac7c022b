package io.rivulet.bench.lab;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A broker in a child process, and its data, which {@link #close} deletes. Owned by: the command's thread. */
public final class RunningBroker implements AutoCloseable {
    private static final short METADATA_VERSION = 9;
    private static final long READY_SECONDS = 180;
    private static final long BETWEEN_PROBES_MILLIS = 2;
    private static final double MEGABYTES_PER_MIB = (1 << 20) / 1e6;
    private static final int COMPLAINT_CHARS = 200;

    private final Subject subject;
    private final Daemon daemon;
    private final Path home;
    private final int port;
    private final int loadPort;
    private final @Nullable TlsClient tls;
    private final @Nullable Engines engines;
    private double startMillis;

    /** @param engines that have its log, and end with it; null for a log of its own */
    RunningBroker(Lab lab, Subject subject, List<String> command, Path home, int port, @Nullable Engines engines)
            throws IOException {
        this(lab, subject, command, home, port, port, null, engines);
    }

    /** @param tls encrypts load, which has a port of its own */
    RunningBroker(Lab lab, Subject subject, List<String> command, Path home, int port, int loadPort, TlsClient tls)
            throws IOException {
        this(lab, subject, command, home, port, loadPort, tls, null);
    }

    private RunningBroker(
            Lab lab,
            Subject subject,
            List<String> command,
            Path home,
            int port,
            int loadPort,
            @Nullable TlsClient tls,
            @Nullable Engines engines)
            throws IOException {
        this.engines = engines;
        this.subject = subject;
        this.daemon = new Daemon(lab, command, home, lab.options(subject));
        this.home = home;
        this.port = port;
        this.loadPort = loadPort;
        this.tls = tls;
    }

    /** Starts the process, and returns when the broker answers a Metadata request. */
    public RunningBroker startAgain() throws IOException, BrokerFailedException {
        long startedNanos = System.nanoTime();
        daemon.start();
        try {
            Await.until(this::answers, READY_SECONDS, BETWEEN_PROBES_MILLIS, () -> "not ready: " + complaint());
        } catch (IOException | BrokerFailedException | RuntimeException e) {
            close();
            throw e;
        }
        startMillis = (System.nanoTime() - startedNanos) / 1e6;
        return this;
    }

    private boolean answers() throws IOException, BrokerFailedException {
        try (Wire wire = new Wire(port)) {
            MetadataRequest nothing = new MetadataRequest().topics(List.of());
            return !((MetadataResponse) wire.call(ApiKey.METADATA, METADATA_VERSION, nothing))
                    .brokers()
                    .isEmpty();
        } catch (IOException e) {
            if (!isAlive()) {
                throw new BrokerFailedException("does not start: " + complaint(), e);
            }
            return false;
        }
    }

    /** Opens a blocking connection for load, without Nagle's algorithm. */
    public ByteChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(loadAddress());
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return tls == null ? channel : tls.encrypt(channel);
    }

    /** Opens a connection for load, with Rivulet's codec. */
    public Wire wire() throws IOException {
        return tls == null ? new Wire(port) : new Wire(connect());
    }

    /** Where load connects to. */
    public InetSocketAddress loadAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), loadPort);
    }

    /** Whether load is encrypted. */
    public boolean isEncrypted() {
        return tls != null;
    }

    public Subject subject() {
        return subject;
    }

    /** Its port without encryption. */
    public int port() {
        return port;
    }

    Path home() {
        return home;
    }

    /** Bytes of the segments of Rivulet's log, including the empty part of the last one. */
    public long logBytes() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            long sum = 0;
            for (Path segment :
                    files.filter(file -> file.toString().endsWith(".segment")).toList()) {
                sum += Files.size(segment);
            }
            return sum;
        }
    }

    /** Time from the start of the process until the broker was ready. */
    public double startMillis() {
        return startMillis;
    }

    public double cpuSeconds() throws IOException {
        return daemon.cpuSeconds();
    }

    /** User and system time of the engines that have its log. */
    public double engineCpuSeconds() throws IOException {
        return engines == null ? 0 : engines.cpuSeconds();
    }

    /** Resident memory of the engines that have its log. */
    public double engineResidentMib() throws IOException {
        return engines == null ? 0 : engines.residentMib();
    }

    /** Bytes that the process has read from the disk so far, without those from the page cache. */
    public long diskReadBytes() throws IOException {
        return ProcFs.diskReadBytes(daemon.pid());
    }

    public double residentMib() throws IOException {
        return daemon.residentMib();
    }

    public double residentMegabytes() throws IOException {
        return residentMib() * MEGABYTES_PER_MIB;
    }

    public double peakResidentMegabytes() throws IOException {
        return peakResidentMib() * MEGABYTES_PER_MIB;
    }

    /** Threads of the process, with those of the virtual machine. */
    public int threads() throws IOException {
        return ProcFs.threads(daemon.pid());
    }

    /** Bytes of the heap that are in use after a full collection. */
    public long liveHeapBytes() throws IOException {
        return Jcmd.liveHeapBytes(daemon.pid());
    }

    /** Peak of the resident memory since the start or the last reset. */
    public double peakResidentMib() throws IOException {
        return ProcFs.peakResidentMib(daemon.pid());
    }

    public void resetPeakResident() throws IOException {
        ProcFs.resetPeakResident(daemon.pid());
    }

    /** Names of the virtual machine's threads. */
    public Set<String> threadNames() throws IOException {
        return Jcmd.threadNames(daemon.pid());
    }

    public boolean isAlive() {
        return daemon.isAlive();
    }

    /** Kills the process as {@code kill -9} does. */
    public void kill() throws IOException {
        daemon.kill();
    }

    /** The first error in the broker's output, or the last line. */
    public String complaint() throws IOException {
        List<String> lines = output().lines().filter(line -> !line.isBlank()).toList();
        String line = lines.stream()
                .filter(candidate -> candidate.contains("Exception") || candidate.contains("ERROR"))
                .findFirst()
                .orElse(lines.isEmpty() ? "no output" : lines.get(lines.size() - 1));
        return line.substring(0, Math.min(line.length(), COMPLAINT_CHARS)).strip();
    }

    /** What the processes have printed so far. */
    String output() throws IOException {
        return daemon.output();
    }

    @Override
    public void close() throws IOException {
        daemon.close();
        if (engines != null) {
            engines.close();
        }
    }
}
