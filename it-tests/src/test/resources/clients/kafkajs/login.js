// Settings of kafkajs for the login in the environment. Its variables: ClientProgram.java.
"use strict";

const { readFileSync } = require("node:fs");

function settings({ CLIENT_CA, CLIENT_CERTIFICATE, CLIENT_MECHANISM, CLIENT_USER, CLIENT_PASSWORD }) {
  if (!CLIENT_CA) {
    return {};
  }
  const ssl = { ca: [readFileSync(CLIENT_CA, "utf8")] };
  if (CLIENT_CERTIFICATE) {
    ssl.cert = ssl.key = readFileSync(CLIENT_CERTIFICATE, "utf8");
  }
  if (!CLIENT_MECHANISM) {
    return { ssl };
  }
  const sasl = { mechanism: CLIENT_MECHANISM.toLowerCase(), username: CLIENT_USER, password: CLIENT_PASSWORD };
  return { ssl, sasl };
}

module.exports = { settings };
