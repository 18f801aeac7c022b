package io.rivulet.it.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of the .rpm, in a Debian too: its scripts need a shell and the programs that make users. */
@Tag("packages")
final class RpmIT {
    private static final String SERVER = " --bootstrap-server localhost:9092";
    private static final String CONSUME =
            "rivulet console-consumer --topic greetings --from-beginning --max-messages 1" + SERVER;

    @TempDir
    private Path scratch;

    @Test
    void anUpgradeRestartsTheBrokerAndRemovalKeepsData() throws Exception {
        Path older = Dist.ofCommitBefore("rpm", scratch);
        try (BareDebian debian = BareDebian.create()) {
            debian.addServiceManager();
            // There are no packages of rpm in this system that it could depend on.
            String[] rpm = {"rpm", "--root", debian.root().toString(), "--nodeps"};

            debian.outside(rpm[0], rpm[1], rpm[2], rpm[3], "-i", older.toString());
            assertThat(debian.bash("stat -c '%U %a' /var/lib/rivulet; stat -c '%G %a' /etc/rivulet"))
                    .isEqualTo("rivulet 750\nrivulet 750\n");
            debian.bash("systemctl start rivulet");
            debian.bash("echo hello | rivulet console-producer --topic greetings" + SERVER);
            debian.bash("echo num.partitions=3 >>/etc/rivulet/server.properties");
            String before = debian.bash("cat /run/rivulet.pid");

            debian.outside(rpm[0], rpm[1], rpm[2], rpm[3], "-U", Dist.rpm().toString());
            assertThat(debian.bash("cat /run/rivulet.pid")).isNotEqualTo(before);
            assertThat(debian.bash(CONSUME)).contains("hello");
            assertThat(debian.bash("tail -n 1 /etc/rivulet/server.properties")).isEqualTo("num.partitions=3\n");

            debian.outside(rpm[0], rpm[1], rpm[2], rpm[3], "-e", "rivulet");
            assertThat(debian.tryBash("systemctl is-active rivulet").out()).isEqualTo("inactive\n");
            assertThat(debian.path("/usr/lib/rivulet")).doesNotExist();
            assertThat(debian.path("/etc/rivulet/server.properties.rpmsave")).exists();
            assertThat(debian.path("/var/lib/rivulet")).isNotEmptyDirectory();
        }
    }

    @Test
    void versionsSortAsTheirNamesSay() {
        assertThat(Programs.run(
                        "bash",
                        "-c",
                        "dpkg --compare-versions 0.0.9 lt 0.1.0~snapshot"
                                + " && dpkg --compare-versions 0.1.0~snapshot lt 0.1.0"
                                + " && rpm --eval '%{lua:print(rpm.vercmp(\"0.0.9\", \"0.1.0~snapshot\"),"
                                + " rpm.vercmp(\"0.1.0~snapshot\", \"0.1.0\"))}'"))
                .isEqualTo("-1\t-1\n");
    }
}
