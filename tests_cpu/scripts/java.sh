#!/usr/bin/env bash
# The tests of bindings/java, the code of docs/java.md, the comments, and the example: SOURCES LIBRARY FOLDER [PLUGIN
# CLASHING_PLUGIN].
# Exits with 77 where JDK or Maven are missing, or where Maven needs files that it cannot fetch.
set -euo pipefail

sources=$1 library=$2 folder=$3 plugin=${4:-} clashing=${5:-}
if ! JAVA_HOME=$("$sources/bindings/java/jdk.sh"); then exit 77; fi
export JAVA_HOME
# Maven's own libraries use what newer JDKs warn of.
export MAVEN_OPTS="${MAVEN_OPTS:-} --enable-native-access=ALL-UNNAMED"
"$JAVA_HOME/bin/java" --sun-misc-unsafe-memory-access=allow -version >/dev/null 2>&1 &&
  MAVEN_OPTS+=" --sun-misc-unsafe-memory-access=allow"
mkdir -p "$folder"

# run LOG PROJECT OPTION...
run() {
  local log=$folder/$1 project=$2 status=0
  shift 2
  mvn -q -B -f "$project/pom.xml" "$@" >"$log" 2>&1 || status=$?
  cat "$log"
  [[ $status -eq 0 ]] && return
  if grep -qE 'Could not transfer|Unknown host|offline mode' "$log"; then exit 77; fi
  exit 1
}

run tests.log "$sources/bindings/java" -Dndforge.built="$library" -Dndforge.target="$folder/target" \
  -Dplugin="$plugin" -DclashingPlugin="$clashing" install
python3 -B "$sources/tests_cpu/scripts/java_page.py" "$sources/docs/java.md" "$folder/page" "$JAVA_HOME/bin/java" \
  "$folder"/target/ndforge-*.jar
# What has no comment, or a wrong one, is an error.
"$JAVA_HOME/bin/javadoc" -quiet -Xdoclint:all -Werror --release 22 -d "$folder/apidoc" \
  -sourcepath "$sources/bindings/java/src/main/java:$folder/target/generated-sources/operations" org.ndforge org.ndforge.op
run example.log "$sources/examples/java" -Dndforge.target="$folder/example" compile exec:exec
"$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -cp "$(echo "$folder"/target/ndforge-*.jar)" \
  "$sources/examples/nearest_mean/NearestMean.java" "$sources/examples/data" | grep -q '1629 of 1797'
grep -qE 'nearest centroid: 7[0-9][0-9] of 797' "$folder/example.log"
grep -qE 'network: 7[0-9][0-9] of 797' "$folder/example.log"
