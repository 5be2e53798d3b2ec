#!/usr/bin/env bash
# Measures what the Java interface adds to the C interface: benchmark.sh [options of JMH].
set -euo pipefail
folder=$(dirname "$(readlink -f "$0")")
JAVA_HOME=$("$folder/jdk.sh")
export JAVA_HOME
mvn -q -B -f "$folder/pom.xml" -P benchmark -DskipTests test-compile exec:exec@benchmark -Djmh.options="$*"
