package io.rivulet.it.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tar.gz, and what holds for all that dist/build.sh makes. */
@Tag("packages")
final class TarballIT {
    private static final String SERVER = " --bootstrap-server localhost:9092";

    private static final String START = "cd /tmp && rm -f said && mkfifo said && { setsid /opt/%s/bin/rivulet start"
            + " --override log.dirs=/data >said 2>log & echo $! >pid; } && head -n 1 said";
    private static final String STOP = "kill $(cat /tmp/pid); tail --pid=$(cat /tmp/pid) -f /dev/null";
    private static final String CONSUME = "/opt/%s/bin/rivulet console-consumer --topic greetings --group readers"
            + " --from-beginning --max-messages 1" + SERVER;

    /** Stands for systemd: starts a broker, prints what systemd-notify sends first, and stops the broker. */
    private static final String SUPERVISOR = """
            import os, socket, subprocess, sys
            notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            notifications.bind('notify')
            notifications.settimeout(60)
            broker = subprocess.Popen(
                [sys.argv[1], 'start', '--override', 'listeners=PLAINTEXT://localhost:0'],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=dict(os.environ, NOTIFY_SOCKET=os.path.abspath('notify')))
            print(notifications.recv(100).decode().split()[0])
            print('is ready on' in broker.stdout.readline().decode())
            broker.terminate()
            print(broker.wait(30))
            """;

    @TempDir
    private Path scratch;

    @Test
    void itRunsWithoutJavaFromAnyFolder() throws Exception {
        try (BareDebian debian = BareDebian.create()) {
            Manual manual = new Manual(debian);
            debian.copy(Dist.tarball(), "/root/");
            assertThat(debian.tryBash("command -v java").exitCode()).isNotZero();

            manual.run("tar xf rivulet-*.tar.gz");
            debian.bash(
                    "mkdir '/opt/a b' && mv /root/rivulet-*/ '/opt/a b/c' && ln -s '/opt/a b/c/bin/rivulet' /usr/bin");
            assertThat(debian.bash("RIVULET_OPTS=-Xlog:class+load:stdout rivulet version"))
                    .contains("io.rivulet.broker.cli.Rivulet source: shared objects file");

            debian.bash("cd /tmp && mkfifo said && { setsid rivulet start >said 2>log & } && head -n 1 said");
            debian.bash("echo hello | rivulet console-producer --topic greetings" + SERVER);
            assertThat(debian.bash(
                            "rivulet console-consumer --topic greetings --from-beginning --max-messages 1" + SERVER))
                    .contains("hello");
        }
    }

    @Test
    void anUpgradeIsANewFolderBesideTheOldOneAndRemovalDeletesAFolder() throws Exception {
        try (BareDebian debian = BareDebian.create()) {
            debian.copy(Dist.tarballOfCommitBefore(), "/root/");
            debian.bash(
                    "mkdir /opt/old /opt/new /data && tar xf /root/rivulet-*.tar.gz -C /opt/old --strip-components 1");
            debian.bash(START.formatted("old"));
            debian.bash("echo hello | /opt/old/bin/rivulet console-producer --topic greetings" + SERVER);
            debian.bash(CONSUME.formatted("old"));

            debian.bash(STOP + " && rm /root/rivulet-*.tar.gz");
            debian.copy(Dist.tarball(), "/root/");
            debian.bash("tar xf /root/rivulet-*.tar.gz -C /opt/new --strip-components 1");
            debian.bash(START.formatted("new"));

            assertThat(debian.bash("/opt/new/bin/rivulet consumer-groups --describe --group readers" + SERVER))
                    .containsPattern("readers +greetings +0 +1 +1 +0 ");
            debian.bash("echo bye | /opt/new/bin/rivulet console-producer --topic greetings" + SERVER);
            assertThat(debian.bash(CONSUME.formatted("new"))).contains("bye").doesNotContain("hello");

            debian.bash(STOP + " && rm -r /opt/old /opt/new");
            assertThat(debian.path("/data")).isNotEmptyDirectory();
        }
    }

    @Test
    void systemdIsToldThatTheBrokerIsReady() throws Exception {
        Programs.require("systemd-notify", "python3");
        Programs.run("tar", "-xzf", Dist.tarball().toString(), "-C", scratch.toString());

        assertThat(Programs.run(
                        "bash",
                        "-c",
                        "cd \"$0\" && python3 -c \"$1\" rivulet-*/bin/rivulet",
                        scratch.toString(),
                        SUPERVISOR))
                .isEqualTo("READY=1\nTrue\n0\n");
    }

    @Test
    void twoBuildsHaveTheSameBytes() throws Exception {
        Path again = Dist.build(scratch.resolve("again"));

        assertThat(Dist.all())
                .hasSize(3)
                .allSatisfy(file -> assertThat(Files.mismatch(file, again.resolve(file.getFileName())))
                        .as("position of the first difference of %s", file)
                        .isEqualTo(-1));
    }
}
