#!/usr/bin/env bash
# Installs OpenSearch for tests into a folder, as the program castellan-test-opensearch.
set -euo pipefail
source="$(cd "$(dirname "$0")" && pwd)"
folder="$1/opensearch"
mkdir -p "$folder/classes"
mvn --quiet --batch-mode --file "$source/pom.xml" dependency:copy-dependencies -DoutputDirectory="$folder/lib"
javac -cp "$folder/lib/*" -d "$folder/classes" "$source/SearchNode.java"
# Last, because it stands for the whole.
cat >"$1/castellan-test-opensearch" <<'WORDS'
#!/bin/sh
folder="$(dirname "$0")/opensearch"
exec java -Xms256m -Xmx512m -XX:+UseSerialGC -cp "$folder/classes:$folder/lib/*" SearchNode "$@"
WORDS
chmod +x "$1/castellan-test-opensearch"
