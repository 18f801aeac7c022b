// Messages of many megabytes.
"use strict";

const { createHash, randomBytes } = require("node:crypto");

async function produceHuge(kafka, topic, sizes) {
  const producer = kafka.producer();
  await producer.connect();
  for (const size of sizes) {
    const value = randomBytes(Number(size));
    const [{ baseOffset }] = await producer.send({ topic, messages: [{ partition: 0, value }] });
    tell(baseOffset, value);
  }
  await producer.disconnect();
}

async function consumeHuge(kafka, topic, count) {
  const consumer = kafka.consumer({ groupId: topic });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  let told = 0;
  await new Promise((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    consumer
      .run({
        eachMessage: async ({ message: { offset, value } }) => {
          tell(offset, value);
          told++;
          if (told === count) {
            resolve();
          }
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
}

function tell(offset, value) {
  console.log([offset, value.length, createHash("sha256").update(value).digest("hex")].join("\t"));
}

module.exports = { produceHuge, consumeHuge };
