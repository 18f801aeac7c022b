// Starts the image with the official module for Go, and sends and receives a message.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/modules/kafka"
	"github.com/twmb/franz-go/pkg/kgo"
)

func main() {
	ctx := context.Background()
	container, err := kafka.Run(ctx, os.Args[1])
	if err == nil {
		err = sendAndHear(ctx, container)
	}
	if ended := testcontainers.TerminateContainer(container); err == nil {
		err = ended
	}
	if err != nil {
		log.Fatal(err)
	}
}

func sendAndHear(ctx context.Context, container *kafka.KafkaContainer) error {
	brokers, err := container.Brokers(ctx)
	if err != nil {
		return err
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.AllowAutoTopicCreation(),
		kgo.ConsumerGroup("readers"), kgo.ConsumeTopics("greetings"))
	if err != nil {
		return err
	}
	defer client.Close()
	sent := client.ProduceSync(ctx, &kgo.Record{Topic: "greetings", Value: []byte("hello")})
	if err := sent.FirstErr(); err != nil {
		return err
	}
	for {
		for _, record := range client.PollFetches(ctx).Records() {
			fmt.Println(string(record.Value))
			return nil
		}
	}
}
