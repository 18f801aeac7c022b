package io.rivulet.prove.load;

import io.rivulet.prove.load.TxnHistory.Fate;
import java.util.Random;
import org.apache.kafka.clients.producer.Producer;

/** How a writer ends its transaction. */
enum TxnEnd {
    /** The next producer with its id aborts it. */
    LEFT_OPEN(Fate.ABORTED),
    ABORTED(Fate.ABORTED),
    COMMITTED(Fate.COMMITTED);

    private final Fate fate;

    TxnEnd(Fate fate) {
        this.fate = fate;
    }

    Fate fate() {
        return fate;
    }

    /** Ends the open transaction: in one of ten cases not at all, in two by an abort. */
    static TxnEnd atRandom(Producer<?, ?> producer, Random random) {
        int dice = random.nextInt(10);
        TxnEnd end = dice == 0 ? LEFT_OPEN : dice <= 2 ? ABORTED : COMMITTED;
        end.end(producer);
        return end;
    }

    /**
     * Flushes first. Without that, Kafka's client may end the transaction before it sends the last records, and send
     * them in the next one: its sender thread may look for records, be late, and then take a request that is newer.
     */
    void end(Producer<?, ?> producer) {
        producer.flush();
        if (this == ABORTED) {
            producer.abortTransaction();
        } else if (this == COMMITTED) {
            producer.commitTransaction();
        }
    }
}
