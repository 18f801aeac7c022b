package io.rivulet.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The list of planted bugs in docs/RELIABILITY.md has each of those that tests plant, and no others. */
final class PlantedBugsListTest {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Path DOCUMENT = HOME.resolve("docs/RELIABILITY.md");
    private static final int LEAST_BUGS = 40;
    private static final int LEAST_BUGS_ABOVE_THE_STORE = 20;

    /** An enum of bugs, and the check that catches all of them. */
    enum Source {
        SIMULATION(
                "simulation", true, "simulation/src/test/java/io/rivulet/simulation/BrokerSeededBugsTest.java", "Bug"),
        CLUSTER("cluster", false, "cluster/src/test/java/io/rivulet/cluster/ledger/LedgerStoreBugsTest.java", "Bug"),
        SHARDS("shards", false, "cluster/src/test/java/io/rivulet/cluster/shard/ShardBug.java", "ShardBug"),
        DAMAGE("damage`, `views", false, "prove/src/test/java/io/rivulet/prove/damage/PlantedBug.java", "PlantedBug"),
        REFUSALS("damage", false, "prove/src/test/java/io/rivulet/prove/damage/PlantedBug.java", "Refusal"),
        HOSTILE("hostile", true, "prove/src/test/java/io/rivulet/prove/hostile/WrongBroker.java", "Bug"),
        FLOODS("floods", true, "prove/src/test/java/io/rivulet/prove/flood/PlantedBug.java", "PlantedBug"),
        CHURN("churn", true, "prove/src/main/java/io/rivulet/prove/churn/Kind.java", "Kind"),
        UPGRADE("upgrade", false, "prove/src/test/java/io/rivulet/prove/upgrade/PlantedBug.java", "PlantedBug"),
        FAILOVER("failover", true, "prove/src/test/java/io/rivulet/prove/failover/PlantedBug.java", "PlantedBug");

        private final String check;
        private final boolean isAboveTheStore;
        private final String file;
        private final String type;

        Source(String check, boolean isAboveTheStore, String file, String type) {
            this.check = check;
            this.isAboveTheStore = isAboveTheStore;
            this.file = file;
            this.type = type;
        }

        /** The constants, in their order. */
        List<String> bugs() throws IOException {
            String source = Files.readString(HOME.resolve(file));
            Matcher head = Pattern.compile("(?m)^( *)(?:\\w+ )*enum " + type + "\\b[^{]*\\{$")
                    .matcher(source);
            assertThat(head.find()).as("enum %s in %s", type, file).isTrue();
            String indent = head.group(1);
            String body = source.substring(head.end(), source.indexOf("\n" + indent + "}", head.end()));
            Matcher constant = Pattern.compile("(?m)^" + indent + " {4}([A-Z][A-Z0-9_]+)(?=[(,; ]|$)")
                    .matcher(body);
            List<String> found = new ArrayList<>();
            while (constant.find()) {
                found.add(constant.group(1));
            }
            found.remove("NONE");
            return found;
        }

        /** Its row in the document. */
        String row() throws IOException {
            return "| `" + check + "` | "
                    + bugs().stream()
                            .map(bug -> bug.toLowerCase(Locale.ROOT).replace('_', ' '))
                            .collect(Collectors.joining("; "))
                    + " |";
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDocumentListsEachBug(Source source) throws IOException {
        assertThat(Files.readString(DOCUMENT))
                .as("this row belongs under 'Planted bugs by name':%n%s%n", source.row())
                .contains("\n" + source.row() + "\n");
    }

    @Test
    void thereAreEnough() throws IOException {
        int all = 0;
        int above = 0;
        for (Source source : Source.values()) {
            all += source.bugs().size();
            above += source.isAboveTheStore ? source.bugs().size() : 0;
        }

        assertThat(all).isGreaterThanOrEqualTo(LEAST_BUGS);
        assertThat(above).isGreaterThanOrEqualTo(LEAST_BUGS_ABOVE_THE_STORE);
    }
}
