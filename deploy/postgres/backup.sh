#!/bin/sh
# Dumps the service's database every night and restores dumps. Usage: backup.sh nightly | now | restore <file>
set -eu
umask 077
folder=/backups
export PGHOST=postgres PGUSER=trade_print PGDATABASE=trade_print
PGPASSWORD=$(cat /run/secrets/database-owner-password)
export PGPASSWORD

check_settings() {
  case ${BACKUP_RETENTION_DAYS:-} in
    '' | 0* | *[!0-9]*)
      echo "BACKUP_RETENTION_DAYS is \"${BACKUP_RETENTION_DAYS:-}\"; it takes whole days from 1, such as 14" >&2
      exit 1
      ;;
  esac
}

# Deletes old dumps, but never the one that is named.
delete_old() {
  find "$folder" -name 'trade_print-*.dump' -mmin "+$((BACKUP_RETENTION_DAYS * 1440))" ! -path "$1" -print -delete | sed 's/^/deleted /'
}

# A dump gets its name when it is complete, so `restore` finds complete dumps only.
dump() {
  find "$folder" -name '*.partial' -mmin +1440 -delete
  # A full disk would stop PostgreSQL too.
  newest=$(find "$folder" -name 'trade_print-*.dump' | sort | tail -n 1)
  needed=0
  [ -z "$newest" ] || delete_old "$newest"
  [ -z "$newest" ] || needed=$(($(du -k "$newest" | cut -f1) * 2))
  free=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
  if [ "$free" -lt "$needed" ]; then
    echo "no dump: $folder has $((free / 1024)) MiB free, and twice the newest dump is $((needed / 1024)) MiB; free disk space, for example delete old dumps" >&2
    return 1
  fi
  file="$folder/trade_print-$(date -u +%Y%m%dT%H%M%SZ).dump"
  pg_dump --format=custom --file="$file.partial" &
  child=$!
  wait "$child" && mv "$file.partial" "$file" || {
    rm -f "$file.partial"
    return 1
  }
  bytes=$(stat -c %s "$file")
  echo "wrote $file, $bytes bytes"
  # The alert BackupOld reads it.
  psql --quiet --command "INSERT INTO backups (finished_at, bytes) VALUES (clock_timestamp(), $bytes);
    DELETE FROM backups WHERE finished_at < clock_timestamp() - interval '1 year'" || echo 'the backup was not recorded, so the alert BackupOld will fire' >&2
  delete_old "$file"
}

# A shell runs a trap only while it waits for a background process.
stop() {
  [ -z "${child:-}" ] || kill "$child" 2>/dev/null || true
  rm -f "${file:+$file.partial}"
  exit "$1"
}

pause() {
  sleep "$1" &
  child=$!
  wait "$child"
}

seconds_until_next() {
  now=$(date +%s)
  next=$(date -u -d "$BACKUP_TIME" +%s)
  [ "$next" -gt "$now" ] || next=$((next + 86400))
  echo $((next - now))
}

nightly() {
  check_settings
  trap 'stop 0' TERM INT
  # After a night without power, the dump of the last BACKUP_TIME does not wait.
  since_minutes=$((1440 - $(seconds_until_next) / 60))
  [ -n "$(find "$folder" -name 'trade_print-*.dump' -mmin "-$since_minutes")" ] || until dump; do pause 300; done
  while pause "$(seconds_until_next)"; do
    until dump; do pause 300; done
  done
}

case "${1:-}" in
  nightly) nightly ;;
  now)
    check_settings
    trap 'stop 1' TERM INT
    dump
    ;;
  restore)
    [ -f "$folder/${2:-}" ] || { echo "no such dump; one of: $(cd "$folder" && echo *.dump)" >&2; exit 1; }
    pg_restore --clean --if-exists --exit-on-error --single-transaction --dbname="$PGDATABASE" "$folder/$2"
    echo "restored $2"
    ;;
  *)
    echo 'usage: backup.sh nightly | now | restore <file>' >&2
    exit 1
    ;;
esac
