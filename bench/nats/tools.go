//go:build tools

// Package nats is not part of the build: it names the server that bin/rivulet bench peers builds.
package nats

import _ "github.com/nats-io/nats-server/v2"
