"""A member of a share group with librdkafka. What becomes of a record: ClientProgram.java."""

import sys
import threading

from confluent_kafka import AcknowledgeType, ShareConsumer
from login import settings as login


def share(servers, topic, group):
    """Consumes until standard input ends."""
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    consumer = ShareConsumer(
        {"bootstrap.servers": servers, "group.id": group, "share.acknowledgement.mode": "explicit"} | login()
    )
    consumer.subscribe([topic])
    while not ended.is_set():
        messages = list(consumer.poll(0.5))
        for message in messages:
            if message.error():
                raise SystemExit(f"not consumed: {message.error()}")
        tell("sent", messages)
        for message in messages:
            consumer.acknowledge(message, TYPES[verdict(message)])
        for partition, failure in consumer.commit_sync().items():
            if failure is not None:
                raise SystemExit(f"not acknowledged in {partition}: {failure}")
        tell("done", messages)
    consumer.close()


TYPES = {"accept": AcknowledgeType.ACCEPT, "release": AcknowledgeType.RELEASE, "reject": AcknowledgeType.REJECT}


def verdict(message):
    if message.offset() % 10 == 3 and message.delivery_count() == 1:
        return "release"
    return "reject" if message.offset() % 20 == 7 else "accept"


def tell(what, messages):
    for message in messages:
        print(what, verdict(message), message.partition(), message.offset(), sep="\t", flush=True)
