"""Messages of many megabytes."""

import hashlib
import os

from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

LARGEST_BYTES = 101_000_000


def produce_huge(servers, topic, sizes):
    producer = Producer({"bootstrap.servers": servers, "message.max.bytes": LARGEST_BYTES})
    for size in sizes:
        value = os.urandom(size)
        producer.produce(
            topic,
            partition=0,
            value=value,
            on_delivery=lambda error, message, value=value: tell_delivered(error, message, value),
        )
        producer.flush()


def tell_delivered(error, message, value):
    if error is not None:
        raise SystemExit(f"not delivered: {error}")
    tell(message.offset(), value)


def consume_huge(servers, topic, count):
    consumer = Consumer(
        {
            "bootstrap.servers": servers,
            "group.id": "none",
            "enable.auto.commit": False,
            "receive.message.max.bytes": 2 * LARGEST_BYTES,
            "check.crcs": True,
        }
    )
    consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
    told = 0
    while told < count:
        message = consumer.poll(1)
        if message is None:
            continue
        if message.error():
            raise SystemExit(f"not consumed: {message.error()}")
        tell(message.offset(), message.value())
        told += 1
    consumer.close()


def tell(offset, value):
    print(offset, len(value), hashlib.sha256(value).hexdigest(), sep="\t")
