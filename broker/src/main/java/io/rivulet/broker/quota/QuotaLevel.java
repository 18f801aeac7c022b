package io.rivulet.broker.quota;

import io.rivulet.broker.quota.QuotaEntity.Name;

/** The kinds of entities with a rule for a client. The first level that has a rule for the client wins, as in Kafka. */
enum QuotaLevel {
    USER_CLIENT(0, true, true, false),
    USER_ANY_CLIENT(1, true, true, true),
    USER(2, true, false, false),
    ANY_USER_CLIENT(3, true, true, true),
    ANY_USER_ANY_CLIENT(4, true, true, true),
    ANY_USER(5, true, false, true),
    CLIENT(6, false, true, false),
    ANY_CLIENT(7, false, true, true);

    private final int number;
    private final boolean byUser;
    private final boolean byClient;
    private final boolean isDefault;

    QuotaLevel(int number, boolean byUser, boolean byClient, boolean isDefault) {
        this.number = number;
        this.byUser = byUser;
        this.byClient = byClient;
        this.isDefault = isDefault;
    }

    /** Its place in the order, from 0. */
    int number() {
        return number;
    }

    /** Whether each user, if the level is by user, has a meter of its own. */
    boolean isByUser() {
        return byUser;
    }

    boolean isByClient() {
        return byClient;
    }

    /** Whether one rule limits several users or clients, each by itself. */
    boolean isDefault() {
        return isDefault;
    }

    /** An address counts as a client. */
    static QuotaLevel of(QuotaEntity entity) {
        boolean anyUser = Name.DEFAULT.equals(entity.user());
        boolean anyClient = Name.DEFAULT.equals(entity.clientId()) || Name.DEFAULT.equals(entity.ip());
        if (entity.user() == null) {
            return anyClient ? ANY_CLIENT : CLIENT;
        }
        if (entity.clientId() == null) {
            return anyUser ? ANY_USER : USER;
        }
        if (anyUser) {
            return anyClient ? ANY_USER_ANY_CLIENT : ANY_USER_CLIENT;
        }
        return anyClient ? USER_ANY_CLIENT : USER_CLIENT;
    }

    /** The entity with a rule of this level for the client. */
    QuotaEntity entity(String user, String clientId) {
        return switch (this) {
            case USER_CLIENT -> new QuotaEntity(new Name(user), new Name(clientId), null);
            case USER_ANY_CLIENT -> new QuotaEntity(new Name(user), Name.DEFAULT, null);
            case USER -> new QuotaEntity(new Name(user), null, null);
            case ANY_USER_CLIENT -> new QuotaEntity(Name.DEFAULT, new Name(clientId), null);
            case ANY_USER_ANY_CLIENT -> new QuotaEntity(Name.DEFAULT, Name.DEFAULT, null);
            case ANY_USER -> new QuotaEntity(Name.DEFAULT, null, null);
            case CLIENT -> new QuotaEntity(null, new Name(clientId), null);
            case ANY_CLIENT -> new QuotaEntity(null, Name.DEFAULT, null);
        };
    }
}
