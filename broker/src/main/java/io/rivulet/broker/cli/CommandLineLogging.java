package io.rivulet.broker.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * How the command line logs: to standard error, at the level that RIVULET_LOG_LEVEL names. An application with a broker of its own
 * configures its logging itself, and this stands back. In Java and not in XML, whose parser the image does not hold.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class CommandLineLogging extends ContextAwareBase implements Configurator {
    private static final String WANTED = "rivulet.command.line";

    /** Before the first logger. */
    static void use() {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty(WANTED, "true");
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext loggers) {
        if (!Boolean.getBoolean(WANTED)) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(loggers);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0} - %msg%n");
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(loggers);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        ch.qos.logback.classic.Logger root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(System.getenv("RIVULET_LOG_LEVEL"), Level.INFO));
        root.addAppender(appender);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
