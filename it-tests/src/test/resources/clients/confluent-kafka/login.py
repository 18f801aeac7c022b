"""Settings of librdkafka for the login in the environment. Its variables: ClientProgram.java."""

import os
import sys

from confluent_kafka import KafkaError

FATAL = (KafkaError._AUTHENTICATION, KafkaError._SSL, KafkaError._ALL_BROKERS_DOWN)


def settings():
    if "CLIENT_CA" not in os.environ:
        return {}
    found = {
        "security.protocol": "SASL_SSL" if "CLIENT_MECHANISM" in os.environ else "SSL",
        "ssl.ca.location": os.environ["CLIENT_CA"],
        "error_cb": end_if_fatal,
    }
    if "CLIENT_CERTIFICATE" in os.environ:
        found["ssl.certificate.location"] = os.environ["CLIENT_CERTIFICATE"]
        found["ssl.key.location"] = os.environ["CLIENT_CERTIFICATE"]
    if "CLIENT_MECHANISM" in os.environ:
        found["sasl.mechanism"] = os.environ["CLIENT_MECHANISM"]
        found |= oidc() if "CLIENT_TOKENS" in os.environ else password()
    return found


def password():
    return {"sasl.username": os.environ["CLIENT_USER"], "sasl.password": os.environ["CLIENT_PASSWORD"]}


def oidc():
    return {
        "sasl.oauthbearer.method": "oidc",
        "sasl.oauthbearer.token.endpoint.url": os.environ["CLIENT_TOKENS"],
        "sasl.oauthbearer.client.id": os.environ["CLIENT_USER"],
        "sasl.oauthbearer.client.secret": os.environ["CLIENT_PASSWORD"],
        "sasl.oauthbearer.scope": os.environ["CLIENT_SCOPE"],
    }


def end_if_fatal(error):
    """Without it, the library would try again until messages are too old. An exception would not end flush()."""
    if error.code() in FATAL:
        print(f"no login: {error}", file=sys.stderr, flush=True)
        os._exit(1)
