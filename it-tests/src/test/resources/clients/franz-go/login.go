package main

import (
	"crypto/tls"
	"crypto/x509"
	"os"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// Options for the login in the environment. Its variables: ClientProgram.java.
func login() []kgo.Opt {
	ca := os.Getenv("CLIENT_CA")
	if ca == "" {
		return nil
	}
	trusted, err := os.ReadFile(ca)
	must(err)
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(trusted)
	if file := os.Getenv("CLIENT_CERTIFICATE"); file != "" {
		certificate, err := tls.LoadX509KeyPair(file, file)
		must(err)
		config.Certificates = []tls.Certificate{certificate}
	}
	options := []kgo.Opt{kgo.DialTLSConfig(config)}
	user, password := os.Getenv("CLIENT_USER"), os.Getenv("CLIENT_PASSWORD")
	switch mechanism := os.Getenv("CLIENT_MECHANISM"); mechanism {
	case "":
	case "PLAIN":
		options = append(options, kgo.SASL(plain.Auth{User: user, Pass: password}.AsMechanism()))
	case "SCRAM-SHA-256":
		options = append(options, kgo.SASL(scram.Auth{User: user, Pass: password}.AsSha256Mechanism()))
	case "SCRAM-SHA-512":
		options = append(options, kgo.SASL(scram.Auth{User: user, Pass: password}.AsSha512Mechanism()))
	default:
		panic("no such mechanism: " + mechanism)
	}
	return options
}
