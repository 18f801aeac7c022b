package io.rivulet.broker.api.txn;

import com.google.re2j.Pattern;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.regex.Regexes;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.broker.txn.Transactions.Description;
import io.rivulet.protocol.message.ListTransactionsRequest;
import io.rivulet.protocol.message.ListTransactionsResponse;
import io.rivulet.protocol.message.ListTransactionsResponse.TransactionState;
import io.rivulet.protocol.wire.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One ListTransactions request: the thread that owns the transactions filters them, and a read thread matches their
 * ids against the pattern.
 */
final class TransactionListing implements LongQuestions.Question<LongAnswers.Maker> {
    private static final short DURATIONS_FROM_VERSION = 1;
    private static final int IDS_PER_SLICE = 1000;
    private static final Set<String> STATES =
            Set.of("Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort");
    /** A pattern that takes longer is refused: matching a long id may take thousands of instructions. */
    private static final long MATCHING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ListTransactionsRequest request;
    private final Access access;
    private final Transactions transactions;
    private final LongSupplier stampMillis;
    private final Set<String> states;
    private final long[] producerIds;
    private final long minMillis;
    private final List<Description> found = new ArrayList<>();
    private @Nullable List<String> names;
    private int next;

    TransactionListing(
            ListTransactionsRequest request,
            short version,
            Access access,
            Transactions transactions,
            LongSupplier stampMillis) {
        this.request = request;
        this.access = access;
        this.transactions = transactions;
        this.stampMillis = stampMillis;
        this.states = Set.copyOf(request.stateFilters());
        this.producerIds = request.producerIdFilters().clone();
        this.minMillis = version >= DURATIONS_FROM_VERSION ? request.durationFilter() : -1;
        Arrays.sort(producerIds);
    }

    // ---- on the thread that owns the transactions ----

    @Override
    public long parts() {
        return transactions.size();
    }

    @Override
    public boolean goOn() {
        List<String> all = names == null ? transactions.names() : names;
        names = all;
        long nowMillis = stampMillis.getAsLong();
        for (int end = Math.min(all.size(), next + IDS_PER_SLICE); next < end; next++) {
            Description one = transactions.outline(all.get(next));
            if (one != null && isWanted(one, nowMillis)) {
                found.add(one);
            }
        }
        return next < all.size();
    }

    private boolean isWanted(Description one, long nowMillis) {
        return (states.isEmpty() || states.contains(one.stateName()))
                && (producerIds.length == 0 || Arrays.binarySearch(producerIds, one.producerId()) >= 0)
                && (minMillis < 0 || nowMillis - one.beganMillis() > minMillis)
                && access.mayTransactionalId(Operation.DESCRIBE, one.id());
    }

    @Override
    public LongAnswers.Maker answer() {
        return reader -> list();
    }

    // ---- on a read thread ----

    private Message list() {
        List<TransactionState> listed = new ArrayList<>();
        String regex = request.transactionalIdPattern();
        try {
            Pattern pattern =
                    regex == null || regex.isEmpty() ? null : Regexes.compile("TransactionalIdPattern", regex);
            long startNanos = System.nanoTime();
            for (Description one : found) {
                if (pattern == null || pattern.matches(one.id())) {
                    listed.add(new TransactionState()
                            .transactionalId(one.id())
                            .producerId(one.producerId())
                            .transactionState(one.stateName()));
                }
                if (pattern != null && System.nanoTime() - startNanos > MATCHING_NANOS) {
                    throw new RefusedException(ErrorCode.INVALID_REGULAR_EXPRESSION, "matching all ids takes too long");
                }
            }
        } catch (RefusedException e) {
            return new ListTransactionsResponse().errorCode(ErrorCode.INVALID_REGULAR_EXPRESSION.code());
        }
        return new ListTransactionsResponse()
                .unknownStateFilters(request.stateFilters().stream()
                        .filter(state -> !STATES.contains(state))
                        .toList())
                .transactionStates(listed);
    }
}
