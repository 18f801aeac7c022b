package io.rivulet.it.suites;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import kafka.server.KafkaConfig;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.test.ClusterInstance;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Replaces single methods of Kafka's test framework when their class is loaded. It is for classes that have too many
 * other methods to be replaced as a whole. JUnit calls it before it looks for tests.
 *
 * <p>The nested classes are advice: Byte Buddy copies their code into Kafka's methods. An {@code enter} that returns
 * true skips the method. An assignment to a parameter that is not read-only changes the method's argument or result.
 */
@SuppressWarnings("UnusedVariable")
public final class MethodSeams implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        AgentBuilder agent = new AgentBuilder.Default()
                .disableClassFormatChanges()
                // Some of the classes are loaded before this, or while this is installed.
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly());
        agent = replace(
                agent, "org.apache.kafka.clients.admin.NewTopic", Factor.class, takesArgument(2, Optional.class));
        agent = replace(
                agent, "org.apache.kafka.clients.admin.NewTopic", Assignment.class, takesArgument(1, Map.class));
        String utils = "kafka.utils.TestUtils$";
        agent = replace(agent, utils, NoTopic.class, named("createTransactionStateTopicWithAdmin"));
        agent = replace(agent, utils, OffsetsTopic.class, named("createOffsetsTopicWithAdmin"));
        agent = replace(
                agent,
                utils,
                Nothing.class,
                namedOneOf(
                        "ensureConsistentKRaftMetadata", "verifyTopicDeletion", "waitUntilBrokerMetadataIsPropagated"));
        String harness = "kafka.server.QuorumTestHarness";
        agent = replace(agent, harness, NewQuorum.class, named("newKRaftQuorum").and(takesArguments(2)));
        agent = replace(agent, harness, NewBroker.class, named("createBroker"));
        agent = replace(agent, harness, TheController.class, named("controllerServer"));
        agent = replace(agent, harness, AllControllers.class, named("controllerServers"));
        agent = replace(
                agent,
                "kafka.api.EndToEndAuthorizationTest",
                NoExpiredLogin.class,
                named("confirmReauthenticationMetrics"));
        agent = replace(
                agent,
                "org.apache.kafka.clients.consumer.ShareConsumerTest",
                ShareState.class,
                named("verifyShareGroupStateTopicRecordsProduced"));
        agent.installOn(ByteBuddyAgent.install());
    }

    private static AgentBuilder replace(
            AgentBuilder agent, String type, Class<?> advice, ElementMatcher<? super MethodDescription> methods) {
        return agent.type(named(type))
                .transform((builder, loaded, loader, module, domain) ->
                        builder.visit(Advice.to(advice).on(methods)));
    }

    /** Changes the replication factor of a new topic. */
    public static final class Factor {
        private Factor() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 2, readOnly = false) Optional<Short> factor) {
            factor = OneReplica.factor(factor);
        }
    }

    /** Changes the replica assignment of a new topic. */
    public static final class Assignment {
        private Assignment() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) Map<Integer, List<Integer>> assignment) {
            assignment = OneReplica.assignment(assignment);
        }
    }

    /** Skips the method. */
    public static final class Nothing {
        private Nothing() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }
    }

    /** Skips creating an internal topic. */
    public static final class NoTopic {
        private NoTopic() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object partitions) {
            partitions = scala.collection.immutable.Map$.MODULE$.empty();
        }
    }

    /** Lets the broker create its internal topic, which no client can create. */
    public static final class OffsetsTopic {
        private OffsetsTopic() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) Admin admin) {
            ScalaHarness.findCoordinator(admin);
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object partitions) {
            partitions = scala.collection.immutable.Map$.MODULE$.empty();
        }
    }

    /** Asks Rivulet instead of the metrics of this process. */
    public static final class NoExpiredLogin {
        private NoExpiredLogin() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            ScalaHarness.assertNoLoginExpired();
            return true;
        }
    }

    /** Asks for the offsets of share groups instead of reading Kafka's topic of their state. */
    public static final class ShareState {
        private ShareState() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.FieldValue("cluster") ClusterInstance cluster) {
            ShareStates.assertKept(cluster);
            return true;
        }
    }

    /** Forgets the cluster of the test before. */
    public static final class NewQuorum {
        private NewQuorum() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            ScalaHarness.newQuorum();
            return true;
        }
    }

    /** Starts Rivulet as the broker. It must not name the class into which it is copied, as that would load it. */
    public static final class NewBroker {
        private NewBroker() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.This Object harness,
                @Advice.Argument(0) KafkaConfig config,
                @Advice.Argument(2) boolean startup,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object broker) {
            broker = ScalaHarness.broker(harness, config, startup);
        }
    }

    /** Returns a view of the controller. */
    public static final class TheController {
        private TheController() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object controller) {
            controller = ScalaHarness.controller();
        }
    }

    /** Returns a view of all controllers. */
    public static final class AllControllers {
        private AllControllers() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object controllers) {
            controllers = ScalaHarness.controllers();
        }
    }
}
