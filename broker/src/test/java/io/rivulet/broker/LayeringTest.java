package io.rivulet.broker;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.rivulet.store.failure.CheckedFuture;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the compiled classes against the rules of docs/ARCHITECTURE.md. */
final class LayeringTest {
    private static JavaClasses rivulet;

    @BeforeAll
    static void importClasses() {
        rivulet = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.rivulet");
    }

    @Test
    void allThreeModulesAreImported() {
        assertThat(rivulet).anyMatch(c -> c.getPackageName().startsWith("io.rivulet.protocol"));
        assertThat(rivulet).anyMatch(c -> c.getPackageName().startsWith("io.rivulet.store"));
        assertThat(rivulet).anyMatch(c -> c.getPackageName().startsWith("io.rivulet.broker"));
    }

    @Test
    void protocolSeesNeitherStoreNorBroker() {
        noClasses()
                .that(resideInAPackage("io.rivulet.protocol.."))
                .should()
                .dependOnClassesThat(resideInAPackage("io.rivulet.store..").or(resideInAPackage("io.rivulet.broker..")))
                .because("protocol converts between bytes and messages; the broker gives them their meaning")
                .check(rivulet);
    }

    @Test
    void storeSeesNeitherProtocolNorBroker() {
        noClasses()
                .that(resideInAPackage("io.rivulet.store.."))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.rivulet.protocol..").or(resideInAPackage("io.rivulet.broker..")))
                .because("the store knows only opaque bytes, record counts and timestamps")
                .check(rivulet);
    }

    @Test
    void noModuleUsesKafkasOwnClasses() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("org.apache.kafka.."))
                .because("kafka-clients is only a build-time input and a test oracle")
                .check(rivulet);
    }

    @Test
    void nothingSeesTheClusterOrItsLibraries() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.rivulet.cluster..", "org.apache.bookkeeper..", "org.apache.zookeeper.."))
                .because("a broker by itself carries nothing of a cluster")
                .check(rivulet);
    }

    @Test
    void protocolHasNeitherThreadsNorSockets() {
        noClasses()
                .that(resideInAPackage("io.rivulet.protocol.."))
                .should()
                .dependOnClassesThat(resideInAPackage("java.util.concurrent..")
                        .or(resideInAPackage("io.netty.channel.."))
                        .or(resideInAPackage("java.net..")))
                .because("protocol has no side effects: bytes in, messages out")
                .check(rivulet);
    }

    @Test
    void onlyTheIoRoomOfTheStoreTouchesFiles() {
        noClasses()
                .that(resideInAPackage("io.rivulet.store..").and(not(resideInAPackage("io.rivulet.store.io.."))))
                .should()
                .dependOnClassesThat(belongToAnyOf(
                        FileChannel.class,
                        Files.class,
                        File.class,
                        FileInputStream.class,
                        FileOutputStream.class,
                        RandomAccessFile.class))
                .because("all I/O goes through the room where tests inject faults")
                .check(rivulet);
    }

    @Test
    void roomsOfOneModuleHaveNoCycle() {
        slices().matching("io.rivulet.(*.*)..")
                .should()
                .beFreeOfCycles()
                .because("rooms depend on one another in one direction")
                .check(rivulet);
    }

    @Test
    void theBrokerUsesOnlyTheFacadeOfTheStore() {
        noClasses()
                .that(resideInAPackage("io.rivulet.broker.."))
                .should()
                .dependOnClassesThat(resideInAPackage("io.rivulet.store..")
                        .and(not(resideInAnyPackage(
                                "io.rivulet.store",
                                "io.rivulet.store.open",
                                "io.rivulet.store.failure",
                                "io.rivulet.store.time",
                                "io.rivulet.store.memory",
                                "io.rivulet.store.inspect",
                                "io.rivulet.store.repair",
                                "io.rivulet.store.shard"))))
                .because("everything that the broker needs belongs to the facade, io.rivulet.store")
                .check(rivulet);
    }

    /** The rule above sees neither circles with the root of a module nor those between sub-packages of one room. */
    @ParameterizedTest
    @ValueSource(strings = {"io.rivulet.protocol", "io.rivulet.store", "io.rivulet.broker"})
    void packagesOfOneModuleFormNoCircle(String module) {
        slices().assignedFrom(new PackagesOf(module))
                .should()
                .beFreeOfCycles()
                .because("a sub-package is a room too, and so is the root of a module")
                .check(rivulet);
    }

    @Test
    void everyPackageIsASlice() {
        assertThat(rivulet)
                .allSatisfy(type -> assertThat(Stream.of("protocol", "store", "broker")
                                .map(module -> new PackagesOf("io.rivulet." + module).getIdentifierOf(type))
                                .filter(slice -> !slice.equals(SliceIdentifier.ignore())))
                        .containsExactly(SliceIdentifier.of(type.getPackageName())));
    }

    /** Each package of a module is a slice: its root, and every package and sub-package. */
    private record PackagesOf(String root) implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            String name = javaClass.getPackageName();
            boolean inside = name.equals(root) || name.startsWith(root + ".");
            return inside ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of " + root;
        }
    }

    @Test
    void callbacksOfFuturesLoseNoError() {
        noClasses()
                .that(not(belongToAnyOf(CheckedFuture.class)))
                .should()
                .callMethodWhere(target(owner(assignableTo(CompletionStage.class)))
                        .and(target(nameMatching("(accept|run|apply|exceptionally|handleAsync|whenCompleteAsync"
                                + "|then(?!Apply$|Compose$|ComposeAsync$)).*"))))
                .because("CheckedFuture makes only the other callbacks safe")
                .check(rivulet);
    }

    @Test
    void theStoreKeepsNoMutableStatics() {
        fields().that()
                .areStatic()
                .and()
                .areDeclaredInClassesThat(resideInAPackage("io.rivulet.store.."))
                .should()
                .beFinal()
                .because("two stores in one process must not share state")
                .check(rivulet);
    }
}
