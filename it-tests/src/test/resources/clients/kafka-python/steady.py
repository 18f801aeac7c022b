"""Sends and reads numbers at an even pace: what an application sees while brokers come and go."""

import threading
import time
from collections import Counter

from kafka import KafkaConsumer, KafkaProducer
from login import settings as login

PAUSE_SECONDS = 0.02
PATIENCE_SECONDS = 180


class Pace:
    """Numbers, the longest time between two of them, and errors. Guarded by its lock."""

    def __init__(self, name):
        self.name = name
        self.lock = threading.Lock()
        self.numbers = set()
        self.again = 0
        self.last = None
        self.longest = 0.0
        self.errors = Counter()

    def came(self, number):
        now = time.monotonic()
        with self.lock:
            if self.last is not None:
                self.longest = max(self.longest, now - self.last)
            self.last = now
            if number in self.numbers:
                self.again += 1
            self.numbers.add(number)

    def failed(self, error):
        with self.lock:
            self.errors[type(error).__name__] += 1

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
    failed = []
    producer = KafkaProducer(bootstrap_servers=servers, **login())

    def produce(number):
        try:
            future = producer.send(topic, partition=0, value=str(number).encode())
        except Exception as error:
            broken(error, number)
            return
        future.add_callback(lambda metadata: sent.came(number))
        future.add_errback(lambda error: broken(error, number))

    def broken(error, number):
        sent.failed(error)
        failed.append(number)

    started = time.monotonic()
    for number in range(count):
        produce(number)
        time.sleep(max(0.0, started + number * PAUSE_SECONDS - time.monotonic()))
    while len(sent.numbers) < count and time.monotonic() < started + PATIENCE_SECONDS:
        while failed:
            produce(failed.pop())
        time.sleep(PAUSE_SECONDS)
    sent.tell()


def read(servers, topic, count):
    seen = Pace("read")
    consumer = KafkaConsumer(
        topic, bootstrap_servers=servers, group_id=topic, auto_offset_reset="earliest", **login()
    )
    # This client assigns itself nothing, for good, if it joins its group before it knows the partitions.
    consumer.partitions_for_topic(topic)
    started = time.monotonic()
    while len(seen.numbers) < count and time.monotonic() < started + PATIENCE_SECONDS:
        try:
            for messages in consumer.poll(timeout_ms=20).values():
                for message in messages:
                    seen.came(int(message.value))
        except Exception as error:
            seen.failed(error)
    consumer.close()
    seen.tell()
