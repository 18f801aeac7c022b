"""Starts the image with the official module for Python, and sends and receives a message."""

import sys

from kafka import KafkaConsumer, KafkaProducer
from testcontainers.kafka import KafkaContainer

with KafkaContainer(sys.argv[1]).with_kraft() as kafka:
    servers = kafka.get_bootstrap_server()
    producer = KafkaProducer(bootstrap_servers=servers)
    producer.send("greetings", b"hello").get(timeout=60)
    producer.close()
    consumer = KafkaConsumer(
        "greetings", bootstrap_servers=servers, group_id="readers", auto_offset_reset="earliest"
    )
    print(next(consumer).value.decode())
    consumer.close()
