package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.ANSWERS_COME;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;

/**
 * Takes producer ids, as idempotent producers that send nothing: often none, sometimes so many that the broker needs
 * another block of ids.
 */
final class IdTaker extends Client {
    private static final int VERSION = 4;
    private static final int GREEDY_ONE_IN = 4;
    private static final int ONE_IN = 5;
    private static final int MOST_AT_ONCE = 1_500;

    private int taken;
    private boolean greedy;

    IdTaker(World world, String name) {
        super(world, name);
    }

    @Override
    void connected() {
        greedy = random.nextInt(GREEDY_ONE_IN) == 0;
    }

    @Override
    void act(ClientConnection to) {
        if (to.inFlight() > 0 || random.nextInt(ONE_IN) > 0) {
            return;
        }
        for (int i = greedy ? 1 + random.nextInt(MOST_AT_ONCE) : 1; i > 0; i--) {
            InitProducerIdRequest request =
                    new InitProducerIdRequest().transactionalId(null).transactionTimeoutMs(60_000);
            to.ask(ApiKey.INIT_PRODUCER_ID, VERSION, request, InitProducerIdResponse.class, answer -> {
                if (answer != null) {
                    ANSWERS_COME.require(answer.errorCode() == 0, "%s: error %s", name, answer.errorCode());
                    world.gotProducerId(answer.producerId(), name + "/" + ++taken);
                }
            });
        }
    }
}
