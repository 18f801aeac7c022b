"""kafka-python, a client in pure Python. Arguments and output: ClientProgram.java."""

import sys

from admin import tell_life_of_topic
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from login import settings as login
from steady import steady


def produce(servers, topic, codec, idempotent):
    settings = {"enable_idempotence": True} if idempotent else {}
    producer = KafkaProducer(
        bootstrap_servers=servers, compression_type=None if codec == "none" else codec, **settings, **login()
    )
    sent = []
    for line in sys.stdin:
        key, value, headers = line.rstrip("\n").split("\t")
        future = producer.send(
            topic, partition=0, key=unhex(key), value=unhex(value), headers=parsed(headers)
        )
        sent.append((future, key, value, headers))
    for future, key, value, headers in sent:
        print(future.get(timeout=60).offset, key, value, headers, sep="\t")
    producer.close()


def consume(servers, topic, count):
    consumer = KafkaConsumer(bootstrap_servers=servers, **login())
    partition = TopicPartition(topic, 0)
    consumer.assign([partition])
    consumer.seek_to_beginning(partition)
    tell_messages(consumer, count)


def consume_in_group(servers, topic, count, group):
    consumer = KafkaConsumer(
        topic, bootstrap_servers=servers, group_id=group, auto_offset_reset="earliest", **login()
    )
    tell_messages(consumer, count)


def tell_messages(consumer, count):
    # One at a time, so that it takes and commits no more than requested.
    for _ in range(count):
        message = next(consumer)
        headers = ",".join(f"{name}={tohex(value)}" for name, value in message.headers)
        print(message.offset, tohex(message.key), tohex(message.value), headers, sep="\t")
    consumer.close()


def parsed(headers):
    pairs = [header.split("=") for header in headers.split(",") if header]
    return [(name, unhex(value)) for name, value in pairs]


def unhex(text):
    return None if text == "-" else bytes.fromhex(text)


def tohex(data):
    return "-" if data is None else data.hex()


mode, servers, topic, *more = sys.argv[1:]
if mode in ("produce", "produce-idempotent"):
    produce(servers, topic, more[0], mode == "produce-idempotent")
elif mode == "consume":
    consume(servers, topic, int(more[0]))
elif mode == "group":
    consume_in_group(servers, topic, int(more[0]), more[1])
elif mode == "steady":
    steady(servers, topic, int(more[0]))
elif mode == "admin":
    tell_life_of_topic(servers, topic)
else:
    raise SystemExit(f"no such mode: {mode}")
