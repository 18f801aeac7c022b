"""Creates, changes and deletes a topic with kafka-python's admin client."""

from kafka import KafkaAdminClient, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType, OffsetSpec
from login import settings as login


def tell_life_of_topic(servers, topic):
    admin = KafkaAdminClient(bootstrap_servers=servers, **login())
    admin.create_topics({topic: {"num_partitions": 2, "configs": {"retention.ms": "1111"}}})
    tell_partitions(admin, topic)
    tell_retention(admin, topic)
    admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, {"retention.ms": "2222"})])
    tell_retention(admin, topic)
    admin.create_partitions({topic: 3})
    tell_partitions(admin, topic)
    last = TopicPartition(topic, 2)
    print(f"end={admin.list_partition_offsets({last: OffsetSpec.LATEST})[last].offset}")
    tell_whether_listed(admin, topic)
    admin.delete_topics([topic])
    tell_whether_listed(admin, topic)
    admin.close()


def tell_partitions(admin, topic):
    (description,) = admin.describe_topics([topic])
    print(f"partitions={len(description['partitions'])}")


def tell_retention(admin, topic):
    configs = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
    print(f"retention.ms={configs['topic'][topic]['retention.ms']['value']}")


def tell_whether_listed(admin, topic):
    print(f"listed={topic in admin.list_topics()}")
