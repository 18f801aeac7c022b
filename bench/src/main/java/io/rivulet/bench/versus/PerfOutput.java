package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what Kafka's perf tools print. Immutable. */
record PerfOutput(String printed) {
    private static final Pattern PRODUCED =
            Pattern.compile("(?m)^([0-9]+) records sent, ([0-9.]+) records/sec.* ([0-9.]+) ms 99th");
    private static final int RATE = 2;
    private static final int P99 = 3;

    /**
     * Columns of ConsumerPerformance: start, end, MB, MB/s, messages, messages/s, rebalance ms, fetch ms, MB/s,
     * messages/s while fetching.
     */
    private static final int COLUMNS = 10;

    private static final int MESSAGES = 4;
    private static final int PER_SECOND_WHILE_FETCHING = 9;
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-.*");

    /** How fast ProducerPerformance sent this number of records. */
    record Produced(double perSecond, double p99Millis) {}

    Produced produced(int records) throws BrokerFailedException {
        Matcher matcher = PRODUCED.matcher(printed);
        while (matcher.find()) {
            if (Integer.parseInt(matcher.group(1)) == records) {
                return new Produced(Double.parseDouble(matcher.group(RATE)), Double.parseDouble(matcher.group(P99)));
            }
        }
        throw new BrokerFailedException("ProducerPerformance failed: " + printed.strip());
    }

    /** How many messages a second ConsumerPerformance fetched, of at least this number. */
    double consumedPerSecond(int messages) throws BrokerFailedException {
        List<String[]> lines = printed.lines()
                .filter(line -> DATE.matcher(line).matches())
                .map(line -> line.split(",", -1))
                .filter(columns -> columns.length == COLUMNS)
                .toList();
        if (lines.isEmpty() || Long.parseLong(lines.get(lines.size() - 1)[MESSAGES].strip()) < messages) {
            throw new BrokerFailedException("ConsumerPerformance failed: " + printed.strip());
        }
        return Double.parseDouble(lines.get(lines.size() - 1)[PER_SECOND_WHILE_FETCHING].strip());
    }

    /** A metric of the client, if the tool printed its metrics. The client has it once without a node or topic. */
    double metric(String name) throws BrokerFailedException {
        Matcher matcher = Pattern.compile("(?m)^[a-z-]+:" + name + ":\\{client-id=[^,}]+} +: +([0-9.]+)")
                .matcher(printed);
        if (!matcher.find()) {
            throw new BrokerFailedException("no metric " + name + " in: " + printed.strip());
        }
        return Double.parseDouble(matcher.group(1));
    }
}
