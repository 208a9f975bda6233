#!/bin/sh
# Writes the secrets of docker-compose.yml into a folder. It keeps existing ones. Usage: sh deploy/make-secrets.sh [folder]
set -eu
umask 077
folder=${1:-secrets}

# 32 random bytes as base64url.
random() {
  head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'
}

# The containers have different users, so the files are readable. The folder is private.
write() {
  printf '%s' "$2" > "$folder/$1"
  chmod 644 "$folder/$1"
}

keep_or_write() {
  [ -s "$folder/$1" ] || write "$1" "$2"
}

mkdir -p "$folder"
chmod 700 "$folder"
keep_or_write secrets-key "$(date +%Y)a:$(random)"
for name in postgres-password database-owner-password database-app-password temporal-database-password s3-secret-key; do
  keep_or_write "$name" "$(random)"
done
# The URLs follow the passwords.
write database-owner-url "postgres://trade_print:$(cat "$folder/database-owner-password")@postgres:5432/trade_print"
write database-url "postgres://trade_print_app:$(cat "$folder/database-app-password")@postgres:5432/trade_print"
