#!/bin/sh
# runtime.sh LIB ENGINE OUT: runs in the build stage. Makes a Java runtime with the modules that BookKeeper and ZooKeeper
# use, and takes the native library of this machine out of the jar of RocksDB, which has those of all systems.
set -eu
lib=$1 engine=$2 out=$3

modules=java.compiler,java.desktop,java.logging,java.management,java.naming,java.net.http,java.security.jgss
jlink --add-modules "$modules,java.security.sasl,java.sql,java.xml,jdk.management,jdk.net,jdk.unsupported" \
  --strip-java-debug-attributes --no-man-pages --no-header-files --compress=zip-9 --output "$out/jre"
strip --strip-unneeded "$out"/jre/bin/* "$out"/jre/lib/*.so "$out"/jre/lib/server/*.so "$out"/jre/lib/jexec \
  "$out"/jre/lib/jspawnhelper

mkdir -p "$out/native"
cp -R "$lib" "$out/lib"
cp -R "$engine" "$out/engine"
case $(uname -m) in
  x86_64) native=librocksdbjni-linux64.so ;;
  *) native=librocksdbjni-linux-$(uname -m).so ;;
esac
cd "$(mktemp -d)"
for jar in "$out"/engine/rocksdbjni-*.jar; do
  jar xf "$jar"
  mv "$native" "$out/native/"
  rm -f ./*.so ./*.jnilib ./*.dll
  jar --create --file "$jar" --date 2026-01-01T00:00:00Z .
done
strip --strip-unneeded "$out/native/$native"
