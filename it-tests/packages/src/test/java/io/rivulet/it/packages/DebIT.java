package io.rivulet.it.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of the .deb in a bare Debian: installation, upgrade, removal and purge. */
@Tag("packages")
final class DebIT {
    private static final String SERVER = " --bootstrap-server localhost:9092";
    private static final String CONSUME =
            "rivulet console-consumer --topic greetings --from-beginning --max-messages 1" + SERVER;
    private static final String INSTALL = "sudo apt install ./rivulet_*.deb";
    private static final String PURGE = "sudo apt purge rivulet";

    @TempDir
    private Path scratch;

    @Test
    void lintianFindsNothing() throws Exception {
        assertThat(Programs.run(
                        "lintian",
                        "--allow-root",
                        "--fail-on=error,warning",
                        Dist.deb().toString()))
                .isEmpty();
    }

    @Test
    void anUpgradeRestartsTheBrokerAndKeepsDataAndConfiguration() throws Exception {
        Path older = Dist.ofCommitBefore("deb", scratch);
        try (BareDebian debian = BareDebian.create()) {
            debian.addServiceManager();
            Manual manual = new Manual(debian);
            debian.copy(older, "/root/");

            manual.run(INSTALL);
            assertThat(debian.bash("systemctl is-active rivulet")).isEqualTo("active\n");
            assertThat(debian.bash("stat -c %U /proc/$(cat /run/rivulet.pid)")).isEqualTo("rivulet\n");
            manual.run("rivulet topics --create --topic greetings" + SERVER);
            manual.run("echo hello | rivulet console-producer --topic greetings" + SERVER);
            assertThat(manual.run(CONSUME)).contains("hello");
            assertThat(debian.bash("find /var/lib/rivulet -perm /007"))
                    .as("files that other users can read")
                    .isEmpty();

            debian.bash("echo num.partitions=3 >>/etc/rivulet/server.properties");
            String before = debian.bash("cat /run/rivulet.pid");
            debian.bash("rm /root/rivulet_*.deb");
            debian.copy(Dist.deb(), "/root/");
            manual.run(INSTALL);

            assertThat(debian.bash("dpkg-query -W -f '${Version}' rivulet")).startsWith("0.1.0");
            assertThat(debian.bash("systemctl is-active rivulet; cat /run/rivulet.pid"))
                    .startsWith("active\n")
                    .isNotEqualTo("active\n" + before);
            assertThat(manual.run(CONSUME)).contains("hello");
            assertThat(debian.bash("tail -n 1 /etc/rivulet/server.properties")).isEqualTo("num.partitions=3\n");

            debian.bash("systemctl stop rivulet");
            manual.run("sudo apt install --reinstall ./rivulet_*.deb");
            assertThat(debian.tryBash("systemctl is-active rivulet").out())
                    .as("a broker that was stopped stays so")
                    .isEqualTo("inactive\n");
        }
    }

    @Test
    void removalKeepsDataAndPurgeAsks() throws Exception {
        try (BareDebian debian = BareDebian.create()) {
            debian.addServiceManager();
            Manual manual = new Manual(debian);
            debian.copy(Dist.deb(), "/root/");
            manual.run(INSTALL);
            manual.run("echo hello | rivulet console-producer --topic greetings" + SERVER);

            manual.run("sudo apt remove rivulet");
            assertThat(debian.tryBash("systemctl is-active rivulet").out()).isEqualTo("inactive\n");
            assertThat(debian.path("/usr/lib/rivulet")).doesNotExist();
            assertThat(debian.path("/etc/rivulet/server.properties")).exists();
            manual.run(INSTALL);
            assertThat(manual.run(CONSUME)).contains("hello");

            assertThat(manual.run(PURGE)).contains("the data stays in /var/lib/rivulet");
            assertThat(debian.path("/etc/rivulet")).doesNotExist();
            assertThat(debian.path("/etc/systemd/system/multi-user.target.wants/rivulet.service"))
                    .matches(path -> !Files.isSymbolicLink(path), "is no link");
            manual.run(INSTALL);
            assertThat(manual.run(CONSUME)).contains("hello");

            manual.run("echo rivulet rivulet/purge-data boolean true | sudo debconf-set-selections");
            manual.run(PURGE);
            assertThat(debian.path("/var/lib/rivulet")).doesNotExist();
        }
    }

    @Test
    void theUnitIsValidAndConfined() throws Exception {
        Path unit = Dist.REPOSITORY.resolve("dist/files/rivulet.service");
        // Verification looks for the program and for the pages of the manual.
        Programs.run("dpkg-deb", "-x", Dist.deb().toString(), scratch.toString());
        Path local = Files.writeString(
                scratch.resolve("rivulet.service"),
                Files.readString(unit)
                        .replace(
                                "/usr/bin/rivulet",
                                scratch.resolve("usr/bin/rivulet").toString()));

        assertThat(Programs.run("systemd-analyze", "verify", "--man=no", local.toString()))
                .isEmpty();
        assertThat(Programs.run("systemd-analyze", "security", "--offline=true", "--threshold=20", local.toString()))
                .contains("OK");
    }

    @Test
    void completionsAndManualPagesAreInstalled() throws Exception {
        Programs.run("dpkg-deb", "-x", Dist.deb().toString(), scratch.toString());

        assertThat(Programs.run(
                        "bash",
                        "-c",
                        "cd " + scratch + "/usr/share/man/man1 && ls | wc -l && for page in *; do"
                                + " LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l $page 2>&1 >/dev/null; done"))
                .matches("[2-9]\\d\n");
        assertThat(Programs.run(
                        "bash",
                        "--norc",
                        "-c",
                        "PATH=" + scratch + "/usr/bin:$PATH; . /usr/share/bash-completion/bash_completion; "
                                + "XDG_DATA_DIRS=" + scratch
                                + "/usr/share; _completion_loader rivulet; complete -p rivulet"))
                .contains("_complete_rivulet");
    }
}
