#!/bin/bash
# A PostgreSQL of our own on loopback. Needs Debian's postgresql package (it refuses to run as root, so root drops to the postgres user).
# Prints the TEST_DATABASE_URL to use, and does nothing else if the server is already running.
#   POSTGRES_FOLDER  folder for data, log and socket (default: a folder under the temporary directory)
#   POSTGRES_PORT    (default 5499)
set -eu
folder=${POSTGRES_FOLDER:-${TMPDIR:-/tmp}/bowerbird-services/postgres}
port=${POSTGRES_PORT:-5499}
url="postgres://postgres@127.0.0.1:$port/postgres"

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] || { echo 'postgres-up: PostgreSQL is missing: apt-get install --no-install-recommends postgresql' >&2; exit 1; }
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
exec 9>"$folder.lock"
flock 9 # two starters at once: the second finds the first's work done
if "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; then echo "$url"; exit 0; fi

cd "$folder"
as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
[ -d data ] || as "$bin/initdb" -D "$folder/data" -U postgres --auth=trust -E UTF8 --locale=C.UTF-8 >init.log
# Test data needn't survive a power cut, so nothing waits for the disk.
as "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" \
  -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder -c max_connections=300 -c fsync=off" start >start.log 9>&-
echo "$url"
