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
        if (dice == 0) {
            producer.flush();
            return LEFT_OPEN;
        }
        if (dice <= 2) {
            producer.abortTransaction();
            return ABORTED;
        }
        producer.commitTransaction();
        return COMMITTED;
    }
}
