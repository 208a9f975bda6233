#!/bin/bash
# Starts PostgreSQL as its official image does, with the options of the command `postgres <options>`.
set -e
data=/var/lib/postgresql/18/docker
as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
mkdir -p "$data"
chown -R postgres: /var/lib/postgresql
cd /
if [ ! -s "$data/PG_VERSION" ]; then
  as_postgres /opt/postgres/bin/initdb -D "$data" -U postgres --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 --auth-local=trust \
    --encoding=UTF8 --locale=C > /dev/null
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
fi
exec setpriv --reuid postgres --regid postgres --clear-groups /opt/postgres/bin/postgres -D "$data" -c 'listen_addresses=*' -c unix_socket_directories=/tmp "${@:2}"
