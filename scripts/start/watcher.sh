# Stops the processes that a ProcessManager recorded when its input ends: the manager was killed, or a later start cleans up.
# Usage: sh watcher.sh <folder of records> [<folder to remove>]. A record is named <pid>.<start time>.<signal>.

cd "$1" || exit # before waiting, because a later start may replace the folder
read -r _

# A zombie counts as ended: in a container, its new parent may never reap it.
is_running() { kill -0 "${1%%.*}" && ! grep -q '^State:.Z' "/proc/${1%%.*}/status"; }

for each in *.*.*; do kill -s "${each##*.}" "${each%%.*}"; done
tenths=0
for each in *.*.*; do
  while is_running "$each" && [ $tenths -lt 200 ]; do sleep 0.1; tenths=$((tenths + 1)); done
done
for each in *.*.*; do is_running "$each" && kill -s KILL "${each%%.*}"; done
[ -z "$2" ] || rm -rf "$2"
