package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Commits two transactions and aborts one between them. Processes the committed records in a transaction that is
// aborted and then in one that is committed.
func processInTransactions(servers, topic, group string, out *bufio.Writer) {
	produceInTransactions(servers, topic, group)
	ctx := context.Background()
	session, err := kgo.NewGroupTransactSession(kgo.SeedBrokers(servers), kgo.TransactionalID(group),
		kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.RequireStableFetchOffsets())
	must(err)
	defer session.Close()
	for _, commits := range []kgo.TransactionEndTry{kgo.TryAbort, kgo.TryCommit} {
		must(session.Begin())
		var records []*kgo.Record
		for len(records) < 10 {
			fetches := session.PollFetches(ctx)
			for _, failure := range fetches.Errors() {
				must(failure.Err)
			}
			fetches.EachRecord(func(record *kgo.Record) {
				records = append(records, record)
				value := append(append([]byte{}, record.Value...), " processed"...)
				session.Produce(ctx, &kgo.Record{Topic: topic + "-out", Value: value}, func(_ *kgo.Record, err error) { must(err) })
			})
		}
		must(session.Client().Flush(ctx)) // so that there are records to abort
		committed, err := session.End(ctx, commits)
		must(err)
		if committed != bool(commits) {
			panic("the transaction has ended otherwise")
		}
		if committed {
			for _, record := range records {
				tell(out, record)
			}
		}
	}
}

func produceInTransactions(servers, topic, id string) {
	ctx := context.Background()
	client := connect(servers, kgo.TransactionalID(id))
	defer client.Close()
	for index, commits := range []kgo.TransactionEndTry{kgo.TryCommit, kgo.TryAbort, kgo.TryCommit} {
		must(client.BeginTransaction())
		for i := 0; i < 5; i++ {
			value := fmt.Sprintf("%s %d", []string{"first", "aborted", "second"}[index], i)
			must(client.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: []byte(value)}).FirstErr())
		}
		must(client.EndTransaction(ctx, commits))
	}
}
