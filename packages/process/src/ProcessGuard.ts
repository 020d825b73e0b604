/**
 * Sees to it that no agent outlives us, however we end: SIGKILL and a crash of our own included, when no code of ours runs any more.
 * Agents can't be relied on for that: Cursor's, for one, goes on when its input ends.
 *
 * A shell of its own session holds a pipe to us and the list of what ends with us: process groups, and marks that processes carry which
 * have left their group. When the pipe ends, we are gone; it then ends what is on the list, and itself.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { markOf } from "./ProcessLedger.ts"

/**
 * Begins with the items that it is given, and reads `+ ITEM` and `- ITEM` a line. An item is `GROUP`, `=PID`, or `@MARKER:LIST`: what
 * carries the marker is ended, and noted in the file LIST, a name with octal escapes. It is looked for until nothing more is found, within a
 * bound. Each is looked for once more right before it is ended: its number may have come to mean another. What was killed with its group is
 * not noted, and nothing twice: the killed may still be dying at the next look.
 */
export const script = `
items="$*"
while read -r what item; do
  rest=
  for other in $items; do [ "$other" = "$item" ] || rest="$rest $other"; done
  items=$rest
  [ "$what" = + ] && items="$items $item"
done
marks=
for item in $items; do
  case $item in
    @*) mark=\${item#@}; marks="$marks -e ${markOf("${mark%%:*}")}" ;;
    =*) kill -s KILL "\${item#=}" ;;
    *) kill -s KILL -- "-$item" ;;
  esac
done
[ -n "$marks" ] || exit 0
noted=
round=0
while [ $round -lt 200 ]; do
  round=$((round + 1))
  found=$(grep -lszxF $marks /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do
    for item in $items; do
      case $item in @*) ;; *) continue ;; esac
      mark=\${item#@}
      grep -qszxF "${markOf("${mark%%:*}")}" "$file" || continue
      pid=\${file#/proc/}
      pid=\${pid%/environ}
      list=\${mark#*:}
      read -r stat < "/proc/$pid/stat" || break
      set -- \${stat##*)}
      case " $items " in *" $3 "*|*" =$pid "*) list= ;; esac
      case "$noted " in *" $pid "*) list= ;; esac
      noted="$noted $pid"
      [ -z "$list" ] || { read -r name < "/proc/$pid/comm" && echo "$pid $name" >> "$(printf '%b' "$list")"; }
      kill -s KILL "$pid"
      break
    done
  done
done
`

/**
 * What to start instead of a program, so that it can be put under guard first: it becomes that program once it reads a line from
 * its input. If we die before, its input ends, and so does it. Some shells hand on only variables whose names they allow themselves.
 * `oneOutput`: its stderr goes where its stdout goes, and there is nothing for it to read. Its input is not left to be the socket
 * that it begins with: shells take that for a login from elsewhere, and run what their owner has set up for one.
 */
export const behindGate = (command: string, args: ReadonlyArray<string>, oneOutput = false) => ({
  command: "/bin/sh",
  args: ["-c", `read -r go && exec "$0" "$@"${oneOutput ? " 2>&1 </dev/null" : ""}`, command, ...args]
})

const watched = new Set<string>()
let shell: ChildProcess | undefined

const add = (item: string): void => {
  watched.add(item)
  if (shell === undefined) shell = start()
  else tell("+", item)
}

const drop = (item: string): void => {
  if (watched.delete(item)) tell("-", item)
}

/** From here on the group ends with us. */
export const watch = (group: number): void => add(String(group))

/** From here on this process ends with us, whatever becomes of its group. */
export const watchLeader = (pid: number): void => add(`=${pid}`)

/** The group, or the process, is gone: its number may come to mean another one. */
export const release = (group: number): void => {
  drop(String(group))
  drop(`=${group}`)
}

/** From here on everything ends with us that carries this marker. `list`: a file in which that is noted, absolute. */
export const watchMark = (marker: string, list = ""): void => add(itemOf(marker, list))

/** Nothing carries it any more. */
export const releaseMark = (marker: string): void => {
  for (const item of watched) if (item.startsWith(`@${marker}:`)) drop(item)
}

/** The item for all that carries this marker. Items have no spaces and no letters that a shell heeds. */
export const itemOf = (marker: string, list: string): string =>
  `@${marker}:${Array.from(Buffer.from(list), (byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("")}`

const tell = (what: "+" | "-", item: string): void => {
  if (shell?.stdin?.writable) shell.stdin.write(`${what} ${item}\n`)
}

/** So many in a row that are killed in their first second are enough: something here does not let them run. */
const mostShortLives = 5
let shortLives = 0

const start = (): ChildProcess => {
  const startedAt = performance.now()
  // From its first moment it knows all that it guards: we may be gone before we could tell it.
  const child = spawn("/bin/sh", ["-c", script, "guard", ...watched], {
    detached: true,
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"]
  })
  // Killed by somebody, it is replaced at once. Where it can't run, agents still end with us when we end in order, and are on
  // record for the next to come; the next agent that starts tries again.
  child.on("error", () => (shell = undefined))
  child.on("exit", (_code, signal) => {
    shortLives = performance.now() - startedAt < 1000 ? shortLives + 1 : 0
    const again = signal !== null && watched.size > 0 && shortLives < mostShortLives
    shell = again ? start() : undefined
  })
  // What could not be told to one that has ended, its successor learns with all the rest.
  child.stdin?.on("error", () => {})
  child.unref()
  if (child.stdin && "unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref()
  return child
}
