package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.OFFSETS_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.OffsetCommitResponse;

/** Commits offsets for a group without members, several at a time. */
final class Committer extends Client {
    private static final int COMMIT_VERSION = 8;
    private static final int PARTITIONS = 2;
    private static final int MOST_IN_FLIGHT = 3;

    private final Offsets offsets;

    Committer(World world, String name) {
        super(world, name);
        this.offsets = new Offsets("group-of-" + name, "plain-1", PARTITIONS);
    }

    @Override
    void connected() {}

    @Override
    void act(ClientConnection to) {
        if (to.inFlight() < MOST_IN_FLIGHT) {
            int partition = random.nextInt(PARTITIONS);
            long offset = offsets.next(partition);
            to.ask(
                    ApiKey.OFFSET_COMMIT,
                    COMMIT_VERSION,
                    offsets.request(partition, offset, -1, ""),
                    OffsetCommitResponse.class,
                    answer -> {
                        if (answer != null) {
                            short error =
                                    answer.topics().get(0).partitions().get(0).errorCode();
                            OFFSETS_STAY.require(error == 0, "%s: error %s of a commit", name, error);
                            offsets.committed(partition, offset);
                        }
                    });
        }
    }

    @Override
    public void verify(Asking asking) {
        offsets.verify(asking);
    }
}
