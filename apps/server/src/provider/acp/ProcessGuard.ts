/**
 * Sees to it that no agent outlives us, however we end: SIGKILL and a crash of our own included, when no code of ours runs any more.
 * Agents can't be relied on for that: Cursor's, for one, goes on when its input ends.
 *
 * A shell of its own session holds a pipe to us and the list of our agents' process groups. When the pipe ends, we are gone; it
 * then ends what is on the list, and itself.
 */
import { type ChildProcess, spawn } from "node:child_process"

/** Begins with the groups that it is given, and reads `+ GROUP` and `- GROUP` a line. */
const script = `
groups="$*"
while read -r what group; do
  rest=
  for other in $groups; do [ "$other" = "$group" ] || rest="$rest $other"; done
  groups=$rest
  [ "$what" = + ] && groups="$groups $group"
done
for group in $groups; do kill -s KILL -- "-$group"; done
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

const watched = new Set<number>()
let shell: ChildProcess | undefined

/** From here on the group ends with us. */
export const watch = (group: number): void => {
  watched.add(group)
  if (shell === undefined) shell = start()
  else tell("+", group)
}

/** The group is gone: its number may come to mean another one. */
export const release = (group: number): void => {
  watched.delete(group)
  tell("-", group)
}

const tell = (what: "+" | "-", group: number): void => {
  if (shell?.stdin?.writable) shell.stdin.write(`${what} ${group}\n`)
}

/** So many in a row that are killed in their first second are enough: something here does not let them run. */
const mostShortLives = 5
let shortLives = 0

const start = (): ChildProcess => {
  const startedAt = performance.now()
  // From its first moment it knows all that it guards: we may be gone before we could tell it.
  const child = spawn("/bin/sh", ["-c", script, "guard", ...Array.from(watched, String)], {
    detached: true,
    env: {},
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
