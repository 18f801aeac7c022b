package io.rivulet.bench.lab;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataRequest.MetadataRequestTopic;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
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
    private List<RunningBroker> fellows = List.of();
    private String pages = "";
    private boolean hasLoad;
    private long startedNanos;
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
        launch();
        return awaitReady();
    }

    /** Starts the process, and does not wait. */
    void launch() throws IOException {
        startedNanos = System.nanoTime();
        daemon.start();
    }

    /** Returns when the broker answers a Metadata request. */
    RunningBroker awaitReady() throws IOException, BrokerFailedException {
        try {
            awaitKnows(1);
        } catch (IOException | BrokerFailedException | RuntimeException e) {
            close();
            throw e;
        }
        startMillis = (System.nanoTime() - startedNanos) / 1e6;
        return this;
    }

    private boolean knows(int brokers) throws IOException, BrokerFailedException {
        try {
            return description().brokers().size() >= brokers;
        } catch (IOException e) {
            if (!isAlive()) {
                throw new BrokerFailedException("does not start: " + complaint(), e);
            }
            return false;
        }
    }

    /** Waits until it answers, and knows so many brokers of its cluster. */
    public void awaitKnows(int brokers) throws IOException, BrokerFailedException {
        Await.until(() -> knows(brokers), READY_SECONDS, BETWEEN_PROBES_MILLIS, () -> "not ready: " + complaint());
    }

    /** What it says of the cluster: its brokers, and the controller, which is the owner of Rivulet's log. */
    public MetadataResponse description() throws IOException {
        return metadata(List.of());
    }

    /** What it says of a topic. */
    public MetadataResponseTopic description(String topic) throws IOException {
        return metadata(List.of(new MetadataRequestTopic().name(topic)))
                .topics()
                .get(0);
    }

    private MetadataResponse metadata(List<MetadataRequestTopic> topics) throws IOException {
        try (Wire wire = new Wire(port)) {
            return (MetadataResponse)
                    wire.call(ApiKey.METADATA, METADATA_VERSION, new MetadataRequest().topics(topics));
        }
    }

    /** Opens a blocking connection for load, without Nagle's algorithm. */
    public ByteChannel connect() throws IOException {
        hasLoad = true;
        SocketChannel channel = SocketChannel.open(loadAddress());
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return tls == null ? channel : tls.encrypt(channel);
    }

    /** Opens a connection for load, with Rivulet's codec. */
    public Wire wire() throws IOException {
        return tls == null ? new Wire(port) : new Wire(connect());
    }

    /** The others of its cluster, which end with it. */
    public List<RunningBroker> fellows() {
        return fellows;
    }

    void leads(List<RunningBroker> others) {
        fellows = List.copyOf(others);
    }

    /** Whether load has connected to it. */
    public boolean hasLoad() {
        return hasLoad;
    }

    /** The metrics that it shows now. */
    public Scrape scrape() throws IOException {
        return Scrape.of(pages);
    }

    /** @param address of its pages */
    void hasPages(String address) {
        pages = address;
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

    /** Asks the process to end, as SIGTERM does, and does not wait. */
    public void terminate() {
        daemon.terminate();
    }

    /** Waits until the process has ended. */
    public void awaitEnd() throws IOException {
        daemon.awaitEnd();
    }

    /** Removes the data of a broker that does not run. */
    public void wipe() throws IOException {
        DataDirectory.delete(home.resolve("data"));
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
    public String output() throws IOException {
        return daemon.output();
    }

    @Override
    public void close() throws IOException {
        daemon.close();
        for (RunningBroker each : fellows) {
            each.close();
        }
        if (engines != null) {
            engines.close();
        }
    }
}
