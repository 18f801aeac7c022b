package io.rivulet.broker.quota;

import io.rivulet.broker.access.Principal;
import io.rivulet.broker.config.QuotaSettings;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The quotas of clients: what they have used lately, compared with their rules. Thread-safe. */
public final class ClientQuotas {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_PERCENT = 1e7;

    private final QuotaRules rules;
    private final QuotaWindows windows;
    private final QuotaWindows mutationWindows;
    private final LongSupplier clockNanos;
    private final Map<QuotaKind, Waits> waits = new EnumMap<>(QuotaKind.class);
    private final Waits forSpace = new Waits();
    private volatile @Nullable DefaultMeters defaults;

    /** What was counted of calls whose clients had to wait. Thread-safe. */
    private static final class Waits {
        private final LongAdder calls = new LongAdder();
        private final LongAdder millis = new LongAdder();

        void add(long moreMillis) {
            calls.increment();
            millis.add(moreMillis);
        }
    }

    /** @param clockNanos a clock without steps */
    public ClientQuotas(QuotaRules rules, QuotaSettings settings, LongSupplier clockNanos) {
        this.rules = rules;
        this.windows = QuotaWindows.of(settings.windows());
        this.mutationWindows = QuotaWindows.of(settings.mutationWindows());
        this.clockNanos = clockNanos;
        for (QuotaKind kind : QuotaKind.values()) {
            waits.put(kind, new Waits());
        }
    }

    public QuotaRules rules() {
        return rules;
    }

    /** Whether calls have meters. One volatile read. */
    public boolean areActive() {
        return rules.limitClients();
    }

    /** The meter of one call. */
    public CallMeter meter(Principal principal, String clientId, int requestBytes) {
        return new CallMeter(this, principal.name(), clientId, requestBytes);
    }

    /** On a clock without steps. */
    public long nowNanos() {
        return clockNanos.getAsLong();
    }

    private long nowMillis() {
        return (long) (clockNanos.getAsLong() / NANOS_PER_MILLI);
    }

    /** Adds what a client has used. Returns for how many milliseconds it must wait; 0 if it must not. */
    long use(QuotaKind kind, String user, String clientId, double amount) {
        QuotaRule rule = rules.find(kind, user, clientId);
        return rule == null
                ? 0
                : meters(rule, kind, user, clientId).rate(windows).add(amount, rule.limit(), nowMillis());
    }

    /** Adds an amount that the next call of the client is compared with. */
    void useLater(QuotaKind kind, String user, String clientId, double amount) {
        QuotaRule rule = rules.find(kind, user, clientId);
        if (rule != null) {
            meters(rule, kind, user, clientId).rate(windows).add(amount, nowMillis());
        }
    }

    /** As {@link #use}. If the limit is strict, a client that must wait has used nothing. */
    long mutate(String user, String clientId, int partitions, boolean strict) {
        QuotaKind kind = QuotaKind.CONTROLLER_MUTATION_RATE;
        QuotaRule rule = rules.find(kind, user, clientId);
        return rule == null
                ? 0
                : meters(rule, kind, user, clientId)
                        .tokens(mutationWindows)
                        .take(partitions, strict, rule.limit(), nowMillis());
    }

    /**
     * Counts a new connection. Returns for how many milliseconds to hold it before it is closed, at most one window; 0
     * if it may stay. A connection that may not stay does not count.
     */
    public long connect(InetAddress address) {
        QuotaKind kind = QuotaKind.CONNECTION_CREATION_RATE;
        QuotaRule rule = rules.limitAddresses() ? rules.find(address) : null;
        if (rule == null) {
            return 0;
        }
        RateMeter meter = meters(rule, kind, "", address.getHostAddress()).rate(windows);
        long millis = Math.min(meter.add(1, rule.limit(), nowMillis()), windows.windowMillis());
        if (millis > 0) {
            meter.add(-1, nowMillis());
            throttled(kind, millis);
        }
        return millis;
    }

    /** The most that a client can use without being over the limit for certain. */
    double mostInWindows(QuotaKind kind, String user, String clientId) {
        QuotaRule rule = rules.find(kind, user, clientId);
        return rule == null ? Double.MAX_VALUE : rule.limit() * (windows.spanMillis() - windows.windowMillis()) / 1000;
    }

    private Meters meters(QuotaRule rule, QuotaKind kind, String user, String clientId) {
        return rule.level().isDefault() ? defaults().of(kind, rule.level(), user, clientId) : rule.meters();
    }

    private DefaultMeters defaults() {
        DefaultMeters known = defaults;
        return known != null ? known : makeDefaults();
    }

    private synchronized DefaultMeters makeDefaults() {
        DefaultMeters known = defaults;
        if (known == null) {
            known = new DefaultMeters();
            defaults = known;
        }
        return known;
    }

    /** The part of the request quota that this time is, in percent of one second. */
    static double percent(long nanos) {
        return nanos / NANOS_PER_PERCENT;
    }

    /** The longest wait for the request quota: one window, as in Kafka. */
    long longestWorkMillis() {
        return windows.windowMillis();
    }

    // ---- for metrics ----

    void throttled(QuotaKind kind, long millis) {
        Objects.requireNonNull(waits.get(kind)).add(millis);
    }

    /** A client waits for other reasons: the disk is nearly full. */
    public void heldForSpace(long millis) {
        forSpace.add(millis);
    }

    /** Visits each reason for which clients had to wait. */
    public void forEachWait(WaitVisitor visitor) {
        waits.forEach((kind, ofKind) -> visitor.visit(kind.key(), ofKind.calls.sum(), ofKind.millis.sum()));
        visitor.visit("disk_headroom", forSpace.calls.sum(), forSpace.millis.sum());
    }

    /** Gets the number of calls after which clients had to wait, and for how long they did. */
    @FunctionalInterface
    public interface WaitVisitor {
        void visit(String reason, long calls, long millis);
    }

    /** The number of meters of clients that have no rule of their own. */
    public int defaultMeters() {
        DefaultMeters known = defaults;
        return known == null ? 0 : known.size();
    }
}
