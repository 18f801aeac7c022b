package io.rivulet.broker.acl;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.AccessControl;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.config.AccessSettings;
import java.util.concurrent.atomic.AtomicLong;

/** Says what clients may do, by the rules in the log. Thread-safe. */
public final class Authorizer implements AccessControl {
    private final AccessSettings settings;
    private final Rules rules;
    private final AuditLog audit = new AuditLog();
    private final DecisionCache cache = new DecisionCache();
    private final AtomicLong connections = new AtomicLong();

    public Authorizer(AccessSettings settings, Rules rules) {
        this.settings = settings;
        this.rules = rules;
    }

    @Override
    public Access of(Principal principal, String host) {
        return settings.superUsers().contains(principal.toString())
                ? Access.unlimited(principal)
                : new RuledAccess(principal, host, rules, cache, audit, connections.incrementAndGet());
    }
}
