"""Sends and reads numbers at an even pace: what an application sees while brokers come and go."""

import threading
import time
from collections import Counter

from confluent_kafka import Consumer, Producer
from login import settings as login

PAUSE_SECONDS = 0.02
PATIENCE_SECONDS = 180


class Pace:
    """Numbers, the longest time between two of them, and errors. Each is of one thread."""

    def __init__(self, name):
        self.name = name
        self.numbers = set()
        self.again = 0
        self.last = None
        self.longest = 0.0
        self.errors = Counter()

    def came(self, number):
        now = time.monotonic()
        if self.last is not None:
            self.longest = max(self.longest, now - self.last)
        self.last = now
        if number in self.numbers:
            self.again += 1
        self.numbers.add(number)

    def tell(self):
        errors = ", ".join(f"{count} {name}" for name, count in self.errors.items())
        print(self.name, len(self.numbers), self.again, round(1000 * self.longest), errors, sep="\t", flush=True)


def steady(servers, topic, count):
    reader = threading.Thread(target=read, args=(servers, topic, count), daemon=True)
    reader.start()
    send(servers, topic, count)
    reader.join()


def send(servers, topic, count):
    sent = Pace("sent")
    producer = Producer({"bootstrap.servers": servers} | login())

    def produce(number):
        producer.produce(
            topic,
            partition=0,
            value=str(number),
            on_delivery=lambda error, message: delivered(error, number),
        )

    def delivered(error, number):
        if error is None:
            sent.came(number)
        else:
            sent.errors[error.name()] += 1
            produce(number)

    started = time.monotonic()
    for number in range(count):
        produce(number)
        while time.monotonic() < started + number * PAUSE_SECONDS:
            producer.poll(PAUSE_SECONDS)
    while len(sent.numbers) < count and time.monotonic() < started + PATIENCE_SECONDS:
        producer.poll(PAUSE_SECONDS)
    sent.tell()


def read(servers, topic, count):
    seen = Pace("read")
    consumer = Consumer({"bootstrap.servers": servers, "group.id": topic, "auto.offset.reset": "earliest"} | login())
    consumer.subscribe([topic])
    started = time.monotonic()
    while len(seen.numbers) < count and time.monotonic() < started + PATIENCE_SECONDS:
        message = consumer.poll(PAUSE_SECONDS)
        if message is None:
            continue
        if message.error():
            seen.errors[message.error().name()] += 1
        else:
            seen.came(int(message.value()))
    consumer.close()
    seen.tell()
