#!/bin/bash
# Compose files for Bitnami's image may call this script with run.sh, or with another command.
exec "$@"
