#!/bin/sh
# Runs in the build stage: makes a Java runtime of the modules that are needed, and removes native libraries from the
# jars. Those of this machine go into a folder, so they need not be unpacked at run time and the root may be read-only.
# The same input gives the same bytes.
set -eu
lib=$1 out=$2

# The modules that Rivulet's classes use. Modules that libraries use optionally (XML, JMX, naming) are not needed.
modules=$(jdeps -s --ignore-missing-deps --multi-release base "$lib"/../rivulet.jar "$lib"/rivulet-*.jar |
  sed -n 's/.* -> \(jdk\.\|java\.\)/\1/p' | sort -u | tr '\n' ',')
jlink --add-modules "${modules}jdk.unsupported" --strip-java-debug-attributes --no-man-pages --no-header-files \
  --compress=zip-9 --output "$out/jre"
# Two thirds of the rest is the virtual machine. A sixth of that is symbols for debuggers.
strip --strip-unneeded "$out"/jre/bin/* "$out"/jre/lib/*.so "$out"/jre/lib/server/*.so "$out"/jre/lib/jexec \
  "$out"/jre/lib/jspawnhelper

case $(uname -m) in
  x86_64) machine=amd64 snappy=x86_64 netty=x86_64 ;;
  *) machine=$(uname -m) snappy=$(uname -m) netty=aarch_64 ;;
esac
mkdir -p "$out/native" "$out/lib"
for jar in "$lib"/*.jar; do
  case ${jar##*/} in
    zstd-jni-* | snappy-java-* | lz4-java-*)
      work=$(mktemp -d)
      cd "$work"
      jar xf "$jar"
      for native in linux/$machine/libzstd-jni*.so org/xerial/snappy/native/Linux/$snappy/libsnappyjava.so \
        net/jpountz/util/linux/$machine/liblz4-java.so; do
        if [ -f "$native" ]; then
          cp "$native" "$out/native/$(basename "$native" | sed 's/^libzstd-jni.*/libzstd-jni.so/')"
        fi
      done
      find . -type f \( -name '*.so' -o -name '*.dll' -o -name '*.dylib' -o -name '*.jnilib' -o -name '*.a' \) -delete
      find . -type f ! -path ./META-INF/MANIFEST.MF | LC_ALL=C sort >"$work.files"
      jar --create --file "$out/lib/${jar##*/}" --manifest META-INF/MANIFEST.MF --date 2026-01-01T00:00:00Z \
        "@$work.files"
      ;;
    # Netty looks for its library in java.library.path first.
    netty-tcnative-boringssl-static-*-linux-$netty.jar | netty-transport-native-*-linux-$netty.jar)
      cd "$(mktemp -d)"
      jar xf "$jar"
      cp META-INF/native/libnetty_*.so "$out/native/"
      ;;
    netty-tcnative-boringssl-static-* | netty-transport-native-epoll-* | netty-transport-native-io_uring-*) ;;
    *) cp "$jar" "$out/lib/" ;;
  esac
done
strip --strip-unneeded "$out"/native/*.so
test "$(ls "$out/native" | wc -l)" = 6
