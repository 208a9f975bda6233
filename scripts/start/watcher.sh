# Stops the processes of a ProcessKeeper whose own process died without doing so (kill -9, a closed terminal).
# Usage: sh watcher.sh <folder> [temporary]. Each line of input lists all that runs, as <pid>:<signal>. The input ends with the keeper.

while read -r line; do running=$line; done

# A zombie has ended, but its new parent may never notice, as in a container.
is_running() { kill -0 "$1" && ! grep -q '^State:.Z' "/proc/$1/status"; }

for each in $running; do kill -s "${each#*:}" "${each%:*}"; done
tenths=0
for each in $running; do
  while is_running "${each%:*}" && [ $tenths -lt 200 ]; do sleep 0.1; tenths=$((tenths + 1)); done
done
for each in $running; do is_running "${each%:*}" && kill -s KILL "${each%:*}"; done
[ "$2" != temporary ] || rm -rf "$1"
