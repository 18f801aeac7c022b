// Creates, changes and deletes a topic with the admin client of kafkajs.
"use strict";

const { ConfigResourceTypes } = require("kafkajs");

exports.tellLifeOfTopic = async (kafka, topic) => {
  const admin = kafka.admin();
  await admin.connect();
  const configEntries = [{ name: "retention.ms", value: "1111" }];
  await admin.createTopics({ topics: [{ topic, numPartitions: 2, configEntries }] });
  await tellPartitions(admin, topic);
  await tellRetention(admin, topic);
  const retention = { name: "retention.ms", value: "2222" };
  const change = { type: ConfigResourceTypes.TOPIC, name: topic, configEntries: [retention] };
  await admin.alterConfigs({ validateOnly: false, resources: [change] });
  await tellRetention(admin, topic);
  await admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] });
  await tellPartitions(admin, topic);
  const offsets = await admin.fetchTopicOffsets(topic);
  console.log(`end=${offsets.find(({ partition }) => partition === 2).offset}`);
  await tellWhetherListed(admin, topic);
  await admin.deleteTopics({ topics: [topic] });
  await tellWhetherListed(admin, topic);
  await admin.disconnect();
};

async function tellPartitions(admin, topic) {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  console.log(`partitions=${topics[0].partitions.length}`);
}

async function tellRetention(admin, topic) {
  const resource = { type: ConfigResourceTypes.TOPIC, name: topic, configNames: ["retention.ms"] };
  const { resources } = await admin.describeConfigs({ resources: [resource], includeSynonyms: false });
  console.log(`retention.ms=${resources[0].configEntries[0].configValue}`);
}

async function tellWhetherListed(admin, topic) {
  console.log(`listed=${(await admin.listTopics()).includes(topic)}`);
}
