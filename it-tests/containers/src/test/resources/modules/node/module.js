// Starts the image with the official module for Node, and sends and receives a message.
const { KafkaContainer } = require("@testcontainers/kafka");
const { Kafka, logLevel } = require("kafkajs");

(async () => {
  const container = await new KafkaContainer(process.argv[2]).withKraft().withExposedPorts(9093).start();
  try {
    const kafka = new Kafka({
      brokers: [`${container.getHost()}:${container.getMappedPort(9093)}`],
      logLevel: logLevel.NOTHING,
    });
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic: "greetings", messages: [{ value: "hello" }] });
    await producer.disconnect();
    const consumer = kafka.consumer({ groupId: "readers" });
    await consumer.connect();
    await consumer.subscribe({ topic: "greetings", fromBeginning: true });
    const heard = await new Promise((resolve) => {
      consumer.run({ eachMessage: async ({ message }) => resolve(message.value.toString()) });
    });
    await consumer.disconnect();
    console.log(heard);
  } finally {
    await container.stop();
  }
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
