package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Clients of other languages. Each has a folder in src/test/resources/clients with a program that has these commands:
 *
 * <pre>
 * produce BOOTSTRAP TOPIC CODEC              to partition 0, with default settings; reads messages from standard input
 * produce-idempotent BOOTSTRAP TOPIC CODEC   the same with idempotence, if that is not the default
 * consume BOOTSTRAP TOPIC COUNT              reads this number of messages of partition 0
 * group BOOTSTRAP TOPIC COUNT GROUP          the same as a member of the group, which commits and leaves
 * new-group BOOTSTRAP TOPIC COUNT GROUP      the same with the consumer protocol (KIP-848); librdkafka only
 * transactions BOOTSTRAP TOPIC GROUP         commits five messages, aborts five and commits five; then processes the
 *                                            committed ones to TOPIC-out as a member of the group, aborts, and
 *                                            processes them again; some clients only
 * share BOOTSTRAP TOPIC GROUP                consumes as a member of the share group until standard input ends: rejects
 *                                            offsets of the form 20 n + 7, releases those of the form 10 n + 3 at
 *                                            their first delivery, and accepts all others; prints "sent" or "done",
 *                                            the verdict, partition and offset, before and after; some clients only
 * produce-huge BOOTSTRAP TOPIC BYTES...      sends a message of random bytes of each of these sizes, uncompressed, and
 *                                            prints offset, size and SHA-256 of each; some clients only
 * consume-huge BOOTSTRAP TOPIC COUNT         reads this number of messages, and prints the same
 * steady BOOTSTRAP TOPIC COUNT               sends numbers at an even pace, again if it fails, and reads them as a
 *                                            member of a group; prints for "sent" and "read" how many came, how many
 *                                            of them again, the longest time between two in ms, and all errors
 * admin BOOTSTRAP TOPIC                      creates, changes and deletes the topic, and prints its state at each step
 * </pre>
 *
 * It prints each message that was acknowledged or consumed on a line ({@link Message#line()}), and exits with another
 * code than 0 on an error. The environment names its login:
 *
 * <pre>
 * CLIENT_CA                     PEM file of the broker's certificate; without it, all is in plain text, without login
 * CLIENT_CERTIFICATE            PEM file of the client's own certificate and its key
 * CLIENT_MECHANISM              of SASL, such as SCRAM-SHA-256
 * CLIENT_USER, CLIENT_PASSWORD  name and password of the user
 * CLIENT_TOKENS, CLIENT_SCOPE   where to get tokens, and for what (OAUTHBEARER); librdkafka only
 * CLIENT_PATIENCE_MS            how long to try a login that fails; kafka-python only
 * </pre>
 */
enum ClientProgram {
    CONFLUENT_KAFKA("confluent-kafka", Toolchain.PYTHON),
    KAFKA_PYTHON("kafka-python", Toolchain.PYTHON),
    FRANZ_GO("franz-go", Toolchain.GO),
    KAFKAJS("kafkajs", Toolchain.NODE);

    private static final Path SOURCES = Path.of("src", "test", "resources", "clients");
    private static final Path INSTALLED = Path.of("target", "client-programs").toAbsolutePath();
    private static final String STAMP = "installed-from";

    private final String folder;
    private final Toolchain toolchain;

    ClientProgram(String folder, Toolchain toolchain) {
        this.folder = folder;
        this.toolchain = toolchain;
    }

    /** Copies the program and its libraries to target/ if they are missing. Skips the test if that fails. */
    void install() throws IOException, InterruptedException {
        Path target = Files.createDirectories(INSTALLED.resolve(folder));
        // tests run in several processes
        try (FileChannel lock = FileChannel.open(
                        INSTALLED.resolve(folder + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            assertThat(held.isValid()).isTrue();
            install(target);
        }
    }

    private void install(Path target) throws IOException, InterruptedException {
        Path source = SOURCES.resolve(folder);
        String stamp = contents(source);
        if (Files.exists(target.resolve(STAMP))
                && Files.readString(target.resolve(STAMP)).equals(stamp)) {
            return;
        }
        Programs.Outcome found = Programs.run(target, "sh", "-c", toolchain.check);
        Programs.require(found.exitCode() == 0, toolchain.check + " succeeds; it said " + found.err());
        for (Path file : files(source)) {
            Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        Programs.Outcome outcome = Programs.run(target, "sh", "-c", "cd '" + target + "' && " + toolchain.install);
        Programs.require(outcome.exitCode() == 0, folder + " can be installed; " + outcome);
        Files.writeString(target.resolve(STAMP), stamp);
    }

    /** Returns the acknowledged messages. */
    List<Message> produce(Path scratch, String servers, String topic, String codec, List<Message> messages)
            throws IOException, InterruptedException {
        return produce(scratch, "produce", servers, topic, codec, messages);
    }

    List<Message> produceIdempotent(Path scratch, String servers, String topic, String codec, List<Message> messages)
            throws IOException, InterruptedException {
        return produce(scratch, "produce-idempotent", servers, topic, codec, messages);
    }

    private List<Message> produce(
            Path scratch, String mode, String servers, String topic, String codec, List<Message> messages)
            throws IOException, InterruptedException {
        String input =
                messages.stream().map(message -> message.lineToSend() + "\n").collect(Collectors.joining());
        return run(scratch, input, mode, servers, topic, codec);
    }

    List<Message> consume(Path scratch, String servers, String topic, int count)
            throws IOException, InterruptedException {
        return run(scratch, "", "consume", servers, topic, String.valueOf(count));
    }

    List<Message> consumeInGroup(Path scratch, String servers, String topic, int count, String group)
            throws IOException, InterruptedException {
        return run(scratch, "", "group", servers, topic, String.valueOf(count), group);
    }

    List<Message> consumeInNewGroup(Path scratch, String servers, String topic, int count, String group)
            throws IOException, InterruptedException {
        return run(scratch, "", "new-group", servers, topic, String.valueOf(count), group);
    }

    /** Returns the processed messages. */
    List<Message> processInTransactions(Path scratch, String servers, String topic, String group)
            throws IOException, InterruptedException {
        return run(scratch, "", "transactions", servers, topic, group);
    }

    /** Sends messages of these sizes. Returns a line for each, which has its checksum. */
    List<String> produceHuge(Path scratch, String servers, String topic, int... sizes)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("produce-huge", servers, topic));
        for (int size : sizes) {
            arguments.add(String.valueOf(size));
        }
        return output(scratch, "", arguments.toArray(new String[0])).lines().toList();
    }

    /** Returns lines as those of {@link #produceHuge}. */
    List<String> consumeHuge(Path scratch, String servers, String topic, int count)
            throws IOException, InterruptedException {
        return output(scratch, "", "consume-huge", servers, topic, String.valueOf(count))
                .lines()
                .toList();
    }

    /** Returns the states of the topic that its admin client sees while it creates, changes and deletes it. */
    List<String> administer(Path scratch, String servers, String topic) throws IOException, InterruptedException {
        return output(scratch, "", "admin", servers, topic).lines().toList();
    }

    /** Sends and reads so many numbers at an even pace. Returns what it saw of both. */
    List<Pace.Figures> steady(Path scratch, String servers, String topic, int count)
            throws IOException, InterruptedException {
        return output(scratch, "", "steady", servers, topic, String.valueOf(count))
                .lines()
                .map(Pace.Figures::parse)
                .toList();
    }

    /** Starts a member of the share group, which ends with its standard input. */
    Process share(Path out, String servers, String topic, String group) throws IOException {
        return new ProcessBuilder(command("share", servers, topic, group))
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private List<Message> run(Path scratch, String input, String... arguments)
            throws IOException, InterruptedException {
        return output(scratch, input, arguments).lines().map(Message::parse).toList();
    }

    private String output(Path scratch, String input, String... arguments) throws IOException, InterruptedException {
        Programs.Outcome outcome = attempt(scratch, Map.of(), input, arguments);
        assertThat(outcome.exitCode())
                .as("%s %s says %s", this, List.of(arguments), outcome.err())
                .isZero();
        return outcome.out();
    }

    /** Runs a command with a login, which may fail. */
    Programs.Outcome attempt(Path scratch, Map<String, String> login, String input, String... arguments)
            throws IOException, InterruptedException {
        return Programs.run(scratch, login, input, command(arguments).toArray(new String[0]));
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        for (String word : toolchain.run) {
            command.add(word.replace("{}", INSTALLED.resolve(folder).toString()));
        }
        command.addAll(List.of(arguments));
        return command;
    }

    private static String contents(Path folder) throws IOException {
        StringBuilder contents = new StringBuilder();
        for (Path file : files(folder)) {
            contents.append(file.getFileName()).append('\n').append(Files.readString(file));
        }
        return contents.toString();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @Override
    public String toString() {
        return folder;
    }

    /** How programs of one language are installed and run; {} is their folder. */
    private enum Toolchain {
        PYTHON(
                "python3 -c 'import ensurepip'",
                "python3 -m venv venv && venv/bin/pip install -q -r requirements.txt",
                "{}/venv/bin/python",
                "{}/client.py"),
        GO("go version", "CGO_ENABLED=0 go build -buildvcs=false -o client .", "{}/client"),
        NODE("node --version && npm --version", "npm ci --no-audit --no-fund", "node", "{}/client.js");

        private final String check;
        private final String install;

        @SuppressWarnings("ImmutableEnumChecker") // immutable lists of strings
        private final List<String> run;

        Toolchain(String check, String install, String... run) {
            this.check = check;
            this.install = install;
            this.run = List.of(run);
        }
    }
}
