package io.rivulet.prove.churn;

/** What is made and forgotten. Immutable. */
enum Kind {
    TOPICS,
    CLASSIC_GROUPS,
    CONSUMER_GROUPS,
    SHARE_GROUPS,
    STREAMS_GROUPS,
    PRODUCER_IDS,
    TRANSACTIONAL_IDS,
    CONNECTIONS,
    CONFIGS,
    USERS,
    RULES,
    QUOTAS
}
