package main

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kadm"
)

// Creates, changes and deletes a topic with franz-go's admin client.
func tellLifeOfTopic(ctx context.Context, admin *kadm.Client, topic string) {
	// Without its cache of metadata, so that the broker responds to each request.
	ctx = kadm.WithAuthorizedOps(ctx)
	first, second := "1111", "2222"
	_, err := admin.CreateTopic(ctx, 2, -1, map[string]*string{"retention.ms": &first}, topic)
	must(err)
	tellPartitions(ctx, admin, topic)
	tellRetention(ctx, admin, topic)
	change := kadm.AlterConfig{Op: kadm.SetConfig, Name: "retention.ms", Value: &second}
	altered, err := admin.AlterTopicConfigs(ctx, []kadm.AlterConfig{change}, topic)
	must(err)
	must(altered[0].Err)
	tellRetention(ctx, admin, topic)
	grown, err := admin.UpdatePartitions(ctx, 3, topic)
	must(err)
	must(grown.Error())
	tellPartitions(ctx, admin, topic)
	ends, err := admin.ListEndOffsets(ctx, topic)
	must(err)
	end, _ := ends.Lookup(topic, 2)
	must(end.Err)
	fmt.Printf("end=%d\n", end.Offset)
	tellWhetherListed(ctx, admin, topic)
	_, err = admin.DeleteTopic(ctx, topic)
	must(err)
	tellWhetherListed(ctx, admin, topic)
}

func tellPartitions(ctx context.Context, admin *kadm.Client, topic string) {
	topics, err := admin.ListTopics(ctx, topic)
	must(err)
	fmt.Printf("partitions=%d\n", len(topics[topic].Partitions))
}

func tellRetention(ctx context.Context, admin *kadm.Client, topic string) {
	configs, err := admin.DescribeTopicConfigs(ctx, topic)
	must(err)
	described, err := configs.On(topic, nil)
	must(err)
	for _, config := range described.Configs {
		if config.Key == "retention.ms" {
			fmt.Printf("retention.ms=%s\n", config.MaybeValue())
		}
	}
}

func tellWhetherListed(ctx context.Context, admin *kadm.Client, topic string) {
	topics, err := admin.ListTopics(ctx)
	must(err)
	fmt.Printf("listed=%t\n", topics.Has(topic))
}
