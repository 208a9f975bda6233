# Waits for the end of its input, then stops the processes that a ProcessManager recorded. The input ends if the manager is killed, or at
# once if a later start runs this script. Usage: sh watcher.sh <folder of records> [<folder to remove>]. A record is a file named
# <pid>.<start time>.<signal>. Once its process has received the signal, .stopping is added, because a second SIGTERM would kill it at once.

cd "$1" || exit # entered before waiting, because a later start replaces the folder
read -r _

# A zombie has ended. In a container, its new parent may never remove it.
is_running() { kill -0 "${1%%.*}" && ! grep -q '^State:.Z' "/proc/${1%%.*}/status"; }

# Waits until all recorded processes have ended, but at most $1 tenths of a second.
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
