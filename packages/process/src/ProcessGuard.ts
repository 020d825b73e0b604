/**
 * Ensures that no agent survives Signalbox, even if Signalbox is killed or crashes and runs no code of its own. Agents
 * can't be trusted to end: Cursor's, for one, continues when its input ends.
 *
 * A shell in its own session holds a pipe to us, and the list of what must end with us: process groups, and marks of
 * processes that have left their group. The end of the pipe means that we are gone. Then it ends everything on the
 * list, and itself.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { markOf } from "./ProcessLedger.ts"

/**
 * The guard's program. It begins with the given items, and reads lines `+ ITEM` and `- ITEM`. An item is `GROUP`,
 * `=PID`, or `@MARKER:LIST`. Processes with the marker are killed, and noted in the file LIST, a name with octal
 * escapes. It searches until nothing more is found, up to a limit. Each process is checked again just before the kill,
 * since its number may be reused. Processes killed with their group are not noted. None is noted twice, since it may
 * still be dying at the next search.
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
 * A command to start in place of a program, so that it can be put under guard first. It becomes the program when it
 * reads a line from its input. If Signalbox dies earlier, its input ends, and so does it. Some shells pass on only
 * variables with valid shell names. `oneOutput`: stderr goes to stdout, and the input is empty. Its input must not stay
 * a socket, since shells take that for a remote login and run its start files.
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

/** Ends this group with us from now on. */
export const watch = (group: number): void => add(String(group))

/** Ends this process with us from now on, whatever happens to its group. */
export const watchLeader = (pid: number): void => add(`=${pid}`)

/** Stops watching a group or process that is gone, since its number may be reused. */
export const release = (group: number): void => {
  drop(String(group))
  drop(`=${group}`)
}

/** Ends all processes with this marker with us from now on. `list`: the absolute file that notes them. */
export const watchMark = (marker: string, list = ""): void => add(itemOf(marker, list))

/** Stops watching a marker that no process has any more. */
export const releaseMark = (marker: string): void => {
  for (const item of watched) if (item.startsWith(`@${marker}:`)) drop(item)
}

/** The item for a marker. It has no spaces, and no characters with a meaning in shells. */
export const itemOf = (marker: string, list: string): string =>
  `@${marker}:${Array.from(Buffer.from(list), (byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("")}`

const tell = (what: "+" | "-", item: string): void => {
  if (shell?.stdin?.writable) shell.stdin.write(`${what} ${item}\n`)
}

/** Guards in a row that may be killed in their first second. More mean that they can't run here. */
const mostShortLives = 5
let shortLives = 0

const start = (): ChildProcess => {
  const startedAt = performance.now()
  // The guard starts with the whole list, since Signalbox may die before it could send any item.
  const child = spawn("/bin/sh", ["-c", script, "guard", ...watched], {
    detached: true,
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"]
  })
  // A killed guard is replaced at once. If guards can't run, agents still end with our orderly end, and are in the
  // ledger for the next Signalbox. The next agent that starts tries again.
  child.on("error", () => (shell = undefined))
  child.on("exit", (_code, signal) => {
    shortLives = performance.now() - startedAt < 1000 ? shortLives + 1 : 0
    const again = signal !== null && watched.size > 0 && shortLives < mostShortLives
    shell = again ? start() : undefined
  })
  // Items that could not be sent to a guard that has ended are in its successor's list.
  child.stdin?.on("error", () => {})
  child.unref()
  if (child.stdin && "unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref()
  return child
}
