package io.rivulet.bench.devices;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.wire.Message;

/**
 * A request of a device, encoded, which many devices may send. Immutable.
 *
 * @param frame is not released
 */
public record Exchange(ApiKey key, short version, ByteBuf frame) {
    private static final short API_VERSIONS = 3;

    public static Exchange of(ApiKey key, short version, Message request) {
        return new Exchange(key, version, Unpooled.unreleasableBuffer(Wire.frame(key, version, request)));
    }

    /** The first request of a client: which versions of APIs there are. */
    public static Exchange versions() {
        return of(
                ApiKey.API_VERSIONS,
                API_VERSIONS,
                new ApiVersionsRequest().clientSoftwareName("bench").clientSoftwareVersion("1"));
    }

    /** @throws BrokerFailedException if records were not stored; other answers are not decoded */
    void check(ByteBuf answer) throws BrokerFailedException {
        if (key != ApiKey.PRODUCE) {
            return;
        }
        ProduceResponse response = (ProduceResponse) Wire.decode(key, version, ByteBufUtil.getBytes(answer));
        for (var topic : response.responses()) {
            for (var partition : topic.partitionResponses()) {
                if (partition.errorCode() != 0) {
                    throw new BrokerFailedException("produce has error " + partition.errorCode());
                }
            }
        }
    }
}
