#!/bin/bash
# Starts PostgreSQL as its official image does.
set -e
data=/var/lib/postgresql/18/docker
as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
mkdir -p "$data"
chown -R postgres: /var/lib/postgresql
cd /
if [ ! -s "$data/PG_VERSION" ]; then
  (umask 077; echo "$POSTGRES_PASSWORD" > /tmp/password)
  chown postgres /tmp/password
  as_postgres /opt/postgres/bin/initdb -D "$data" -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust \
    --encoding=UTF8 --locale=C > /dev/null
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB" | as_postgres /opt/postgres/bin/postgres --single -D "$data" postgres > /dev/null
fi
exec setpriv --reuid postgres --regid postgres --clear-groups /opt/postgres/bin/postgres -D "$data" -c 'listen_addresses=*' -c unix_socket_directories=/tmp
