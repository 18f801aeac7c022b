package io.rivulet.bench.versus;

import static io.rivulet.bench.lab.Subject.RIVULET;
import static io.rivulet.bench.lab.Subject.RIVULET_OS;
import static io.rivulet.bench.versus.Case.ALL;
import static io.rivulet.bench.versus.Case.BOTH;

import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.LoadShape;
import java.util.List;
import java.util.Set;

/** All cases, in the order in which they run. Stateless. */
final class Cases {
    /** For cases with more partitions than Kafka can have with the usual limit of open files. */
    private static final Set<Subject> WITHOUT_KAFKA = Set.of(RIVULET, RIVULET_OS);

    private static final int BATCHES_PER_REQUEST = 500;

    private Cases() {}

    static List<Case> all() {
        return List.of(
                new StartCase(),
                new ConnectsCase(ConnectsCase.AS_MANY_AS_POSSIBLE, false),
                new ConnectsCase(ConnectsCase.AS_MANY_AS_POSSIBLE, true),
                new ConnectsCase(1_000, false),
                new ConnectsCase(1_000, true),
                new ReturnCase(1_000, false),
                new ReturnCase(10_000, false),
                new ReturnCase(10_000, true),
                new ProduceCase("produce-1x500", new LoadShape(1, 1, 500), ALL),
                new ProduceCase("produce-1x1", new LoadShape(1, 1, 1), ALL),
                new ProduceCase("produce-100x1", new LoadShape(100, 100, 1), ALL),
                new ProduceCase("produce-10000x1", new LoadShape(10_000, BATCHES_PER_REQUEST, 1), ALL),
                new ProduceCase("produce-100000x1", new LoadShape(100_000, BATCHES_PER_REQUEST, 1), WITHOUT_KAFKA),
                new ProduceCase("produce-1000000x1", new LoadShape(1_000_000, BATCHES_PER_REQUEST, 1), WITHOUT_KAFKA),
                new PacedCase(500),
                new PacedCase(5_000),
                new BesideHugeCase(),
                new FanOutCase(),
                new CatchUpCase(),
                new IdleConsumersCase(),
                new FetchSessionCase(10_000, BOTH),
                new FetchSessionCase(1_000_000, Set.of(RIVULET)),
                new ToolCase(),
                new ConsumerToolCase(),
                new ProduceQuotaCase(),
                new FetchQuotaCase(),
                new RestartCase(100, BOTH),
                new RestartCase(1_000, BOTH),
                new RestartCase(10_000, BOTH),
                new RestartCase(100_000, Set.of(RIVULET)),
                new RestartCase(1_000_000, Set.of(RIVULET)),
                new RebalanceCase(RebalanceCase.CLASSIC, 100, 10_000, ALL),
                new RebalanceCase(RebalanceCase.CONSUMER, 100, 10_000, ALL),
                new RebalanceCase(RebalanceCase.CLASSIC, 100, 100_000, WITHOUT_KAFKA),
                new RebalanceCase(RebalanceCase.CONSUMER, 100, 100_000, WITHOUT_KAFKA),
                new HeartbeatCase(RebalanceCase.CLASSIC),
                new HeartbeatCase(RebalanceCase.CONSUMER),
                new CommitCase(1, 100_000),
                new CommitCase(100, 1_000),
                new CommittedOffsetsCase(),
                new TxnCase(1, 10),
                new TxnCase(1, 1_000),
                new TxnCase(10, 10),
                new TxnCase(10, 1_000),
                new TxnVisibleCase(),
                new ReadCommittedCase(),
                new CompactionCase());
    }
}
