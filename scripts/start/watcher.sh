# Stops the processes that a ProcessManager recorded, once its input ends: the manager was killed, or a later start cleans up.
# Usage: sh watcher.sh <folder of records> [<folder to remove>]. A record is named <pid>.<start time>.<signal>, then .stopping
# once its process has the signal: a second SIGTERM would kill it at once.

cd "$1" || exit # before it waits: a later start puts another folder in this place
read -r _

# A zombie has ended, but its new parent may never notice, as in a container.
is_running() { kill -0 "${1%%.*}" && ! grep -q '^State:.Z' "/proc/${1%%.*}/status"; }

# Waits at most $1 tenths of a second.
await_end() {
  tenths=0
  for each in *.*.*; do
    while is_running "$each" && [ $tenths -lt "$1" ]; do sleep 0.1; tenths=$((tenths + 1)); done
  done
}

for each in *.*.*; do
  case $each in *.stopping) continue ;; esac
  mv "$each" "$each.stopping" && kill -s "${each##*.}" "${each%%.*}"
done
await_end 200
for each in *.*.*; do is_running "$each" && kill -s KILL "${each%%.*}"; done
await_end 50
[ -z "$2" ] || rm -rf "$2"
