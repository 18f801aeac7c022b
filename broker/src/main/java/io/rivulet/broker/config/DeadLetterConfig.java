package io.rivulet.broker.config;

import java.util.regex.Pattern;

/**
 * Where a share group writes its dead letters (KIP-1191). Immutable.
 *
 * @param topic empty for none
 * @param copiesRecords whether a letter has the key, the value and the headers of its record
 * @param prefix how the name of the topic must begin
 * @param createsTopic whether the topic is created if it does not exist
 */
public record DeadLetterConfig(String topic, boolean copiesRecords, String prefix, boolean createsTopic) {
    public static final DeadLetterConfig NONE = new DeadLetterConfig("", false, "dlq.", false);

    private static final Pattern NAME = Pattern.compile("(?!__)[a-zA-Z0-9._-]{0,249}");

    static final ConfigType TOPIC_NAME = ConfigType.text(
            "the name of a topic that does not begin with __, or nothing",
            value -> NAME.matcher(value.strip()).matches());

    static DeadLetterConfig of(ShareGroupConfig.Values values) {
        return new DeadLetterConfig(
                values.text(GroupKey.ERRORS_DEADLETTERQUEUE_TOPIC_NAME),
                Boolean.parseBoolean(values.text(GroupKey.ERRORS_DEADLETTERQUEUE_COPY_RECORD_ENABLE)),
                values.ofBroker(BrokerKey.ERRORS_DEADLETTERQUEUE_TOPIC_NAME_PREFIX),
                Boolean.parseBoolean(values.ofBroker(BrokerKey.ERRORS_DEADLETTERQUEUE_AUTO_CREATE_TOPICS_ENABLE)));
    }

    /** Whether the group writes dead letters. */
    public boolean isOn() {
        return !topic.isEmpty();
    }
}
