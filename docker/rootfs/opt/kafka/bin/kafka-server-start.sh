#!/bin/bash
# kafka-server-start.sh server.properties: the environment has priority over the file.
[[ $1 == -daemon ]] && shift
exec /opt/rivulet/bin/rivulet container ${1:+--config "$1"}
