"""Settings of kafka-python for the login in the environment. Its variables: ClientProgram.java."""

import logging
import os


def settings():
    if "CLIENT_CA" not in os.environ:
        return {}
    logging.basicConfig(level=logging.ERROR)  # has why no connection works; the exception has not
    found = {
        "security_protocol": "SASL_SSL" if "CLIENT_MECHANISM" in os.environ else "SSL",
        "ssl_cafile": os.environ["CLIENT_CA"],
    }
    if "CLIENT_CERTIFICATE" in os.environ:
        found["ssl_certfile"] = os.environ["CLIENT_CERTIFICATE"]
    if "CLIENT_MECHANISM" in os.environ:
        found["sasl_mechanism"] = os.environ["CLIENT_MECHANISM"]
        found["sasl_plain_username"] = os.environ["CLIENT_USER"]
        found["sasl_plain_password"] = os.environ["CLIENT_PASSWORD"]
    if "CLIENT_PATIENCE_MS" in os.environ:
        found["bootstrap_timeout_ms"] = int(os.environ["CLIENT_PATIENCE_MS"])
    return found
