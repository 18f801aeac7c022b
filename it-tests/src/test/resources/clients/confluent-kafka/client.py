"""librdkafka, with confluent-kafka. Arguments and output: ClientProgram.java."""

import sys

from admin import tell_life_of_topic
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition
from huge import consume_huge, produce_huge
from login import settings as login
from share import share
from steady import steady


def produce(servers, topic, codec, idempotent):
    settings = {"bootstrap.servers": servers, "compression.type": codec} | login()
    if idempotent:
        settings["enable.idempotence"] = True
    producer = Producer(settings)
    for line in sys.stdin:
        line = line.rstrip("\n")
        key, value, headers = line.split("\t")
        producer.produce(
            topic,
            partition=0,
            key=unhex(key),
            value=unhex(value),
            headers=parsed(headers),
            on_delivery=lambda error, message, line=line: tell_delivered(error, message, line),
        )
        producer.poll(0)
    producer.flush()


def tell_delivered(error, message, line):
    if error is not None:
        raise SystemExit(f"not delivered: {error}")
    print(message.offset(), line, sep="\t")  # the report has no headers


def consume(servers, topic, count):
    # It commits nothing, but the name of a group is mandatory.
    consumer = Consumer({"bootstrap.servers": servers, "group.id": "none", "enable.auto.commit": False} | login())
    consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
    tell_messages(consumer, count)


def consume_in_group(servers, topic, count, group, protocol):
    consumer = Consumer(
        {"bootstrap.servers": servers, "group.id": group, "group.protocol": protocol, "auto.offset.reset": "earliest"}
        | login()
    )
    consumer.subscribe([topic])
    tell_messages(consumer, count)


def process_in_transactions(servers, topic, group):
    producer = Producer({"bootstrap.servers": servers, "transactional.id": group} | login())
    producer.init_transactions()
    for name, commits in (("first", True), ("aborted", False), ("second", True)):
        producer.begin_transaction()
        for i in range(5):
            producer.produce(topic, partition=0, value=f"{name} {i}".encode())
        end(producer, commits)
    consumer = Consumer(
        {
            "bootstrap.servers": servers,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "isolation.level": "read_committed",
        }
        | login()
    )
    consumer.subscribe([topic])
    for commits in (False, True):
        messages = []
        producer.begin_transaction()
        while len(messages) < 10:
            message = consumer.poll(1)
            if message is None:
                continue
            if message.error():
                raise SystemExit(f"not consumed: {message.error()}")
            messages.append(message)
            producer.produce(topic + "-out", partition=0, value=message.value() + b" processed")
        positions = consumer.position(consumer.assignment())
        producer.send_offsets_to_transaction(positions, consumer.consumer_group_metadata())
        end(producer, commits)
        if commits:
            for message in messages:
                tell(message)
        else:
            consumer.seek(TopicPartition(topic, 0, 0))
    consumer.close()


def end(producer, commits):
    if commits:
        producer.commit_transaction()
    else:
        producer.flush()  # so that there are records to abort
        producer.abort_transaction()


def tell_messages(consumer, count):
    told = 0
    while told < count:
        message = consumer.poll(1)
        if message is None:
            continue
        if message.error():
            raise SystemExit(f"not consumed: {message.error()}")
        tell(message)
        told += 1
    consumer.close()


def tell(message):
    headers = ",".join(f"{name}={tohex(value)}" for name, value in message.headers() or [])
    print(message.offset(), tohex(message.key()), tohex(message.value()), headers, sep="\t")


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
    consume_in_group(servers, topic, int(more[0]), more[1], "classic")
elif mode == "new-group":
    consume_in_group(servers, topic, int(more[0]), more[1], "consumer")
elif mode == "transactions":
    process_in_transactions(servers, topic, more[0])
elif mode == "share":
    share(servers, topic, more[0])
elif mode == "steady":
    steady(servers, topic, int(more[0]))
elif mode == "produce-huge":
    produce_huge(servers, topic, [int(size) for size in more])
elif mode == "consume-huge":
    consume_huge(servers, topic, int(more[0]))
elif mode == "admin":
    tell_life_of_topic(servers, topic)
else:
    raise SystemExit(f"no such mode: {mode}")
