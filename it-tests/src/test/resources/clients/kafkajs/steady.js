// Sends and reads numbers at an even pace: what an application sees while brokers come and go.
"use strict";

const PAUSE_MILLIS = 20;
const PATIENCE_MILLIS = 180_000;

// Numbers, the longest time between two of them, and errors.
class Pace {
  constructor(name, count) {
    this.name = name;
    this.numbers = new Set();
    this.again = 0;
    this.last = 0;
    this.longest = 0;
    this.errors = new Map();
    this.complete = new Promise((resolve) => {
      this.end = resolve;
    });
    this.count = count;
    setTimeout(this.end, PATIENCE_MILLIS).unref();
  }

  came(number) {
    const now = performance.now();
    this.longest = Math.max(this.longest, this.last === 0 ? 0 : now - this.last);
    this.last = now;
    this.again += this.numbers.has(number) ? 1 : 0;
    this.numbers.add(number);
    if (this.numbers.size === this.count) {
      this.end();
    }
  }

  failed(error) {
    this.errors.set(error.name, (this.errors.get(error.name) ?? 0) + 1);
  }

  tell() {
    const errors = [...this.errors].map(([name, times]) => `${times} ${name}`).join(", ");
    console.log([this.name, this.numbers.size, this.again, Math.round(this.longest), errors].join("\t"));
  }
}

async function send(kafka, topic, count) {
  const sent = new Pace("sent", count);
  const producer = kafka.producer();
  await producer.connect();
  const produce = (number) =>
    producer.send({ topic, messages: [{ partition: 0, value: String(number) }] }).then(
      () => sent.came(number),
      (error) => {
        sent.failed(error);
        setTimeout(produce, PAUSE_MILLIS, number);
      },
    );
  let next = 0;
  const timer = setInterval(() => {
    produce(next++);
    if (next === count) {
      clearInterval(timer);
    }
  }, PAUSE_MILLIS);
  await sent.complete;
  await producer.disconnect();
  sent.tell();
}

async function read(kafka, topic, count) {
  const seen = new Pace("read", count);
  const consumer = kafka.consumer({ groupId: topic });
  consumer.on(consumer.events.CRASH, ({ payload }) => seen.failed(payload.error));
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ eachMessage: async ({ message }) => seen.came(Number(message.value)) });
  await seen.complete;
  await consumer.disconnect();
  seen.tell();
}

exports.steady = async (kafka, topic, count) => {
  await Promise.all([send(kafka, topic, count), read(kafka, topic, count)]);
  process.exit(0); // it may have left a connection open, which would keep the process alive
};
