package io.rivulet.broker.metrics;

/** Share groups as text. Stateless. */
final class ShareGroupSeries {
    private static final String STATE = "state";
    private static final String TYPE = "acktype";

    private ShareGroupSeries() {}

    static void write(TextWriter text, ShareFacts facts) {
        text.head(Metric.SHARE_GROUPS);
        text.sample(facts.groups().empty(), STATE, "Empty");
        text.sample(facts.groups().stable(), STATE, "Stable");
        text.only(Metric.SHARE_SESSIONS, facts.sessions());
        ShareFacts.Acknowledged acknowledged = facts.acknowledged();
        text.head(Metric.SHARE_ACKNOWLEDGED);
        text.sample(acknowledged.accepted(), TYPE, "Accept");
        text.sample(acknowledged.released(), TYPE, "Release");
        text.sample(acknowledged.rejected(), TYPE, "Reject");
        text.sample(acknowledged.renewed(), TYPE, "Renew");
        text.only(Metric.SHARE_EXPIRED, facts.expired());
        text.only(Metric.SHARE_ACQUIRED, facts.acquired());
        text.only(Metric.SHARE_EXHAUSTED, facts.exhausted());
        text.only(Metric.SHARE_DEAD_LETTERS, facts.deadLetters().written());
        text.only(Metric.SHARE_DEAD_LETTER_REQUESTS, facts.deadLetters().requests());
        text.only(Metric.SHARE_DEAD_LETTER_FAILURES, facts.deadLetters().failures());
        text.only(Metric.SHARE_ROWS, facts.rows());
        text.only(Metric.SHARE_LOCKS, facts.locks());
        text.only(Metric.SHARE_BYTES, facts.memory().bytes());
        text.only(Metric.SHARE_MAX_BYTES, facts.memory().maxBytes());
    }
}
