"""Creates, changes and deletes a topic with librdkafka's admin client."""

from confluent_kafka import TopicPartition
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    OffsetSpec,
    ResourceType,
)
from login import settings as login


def tell_life_of_topic(servers, topic):
    admin = AdminClient({"bootstrap.servers": servers} | login())
    done(admin.create_topics([NewTopic(topic, num_partitions=2, config={"retention.ms": "1111"})]))
    tell_partitions(admin, topic)
    tell_retention(admin, topic)
    change = ConfigEntry("retention.ms", "2222", incremental_operation=AlterConfigOpType.SET)
    done(admin.incremental_alter_configs([ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[change])]))
    tell_retention(admin, topic)
    done(admin.create_partitions([NewPartitions(topic, 3)]))
    tell_partitions(admin, topic)
    last = TopicPartition(topic, 2)
    print(f"end={done(admin.list_offsets({last: OffsetSpec.latest()})).offset}")
    tell_whether_listed(admin, topic)
    done(admin.delete_topics([topic]))
    tell_whether_listed(admin, topic)


def tell_partitions(admin, topic):
    print(f"partitions={len(admin.list_topics(topic).topics[topic].partitions)}")


def tell_retention(admin, topic):
    configs = done(admin.describe_configs([ConfigResource(ResourceType.TOPIC, topic)]))
    print(f"retention.ms={configs['retention.ms'].value}")


def tell_whether_listed(admin, topic):
    print(f"listed={topic in admin.list_topics().topics}")


def done(futures):
    (future,) = futures.values()
    return future.result()
