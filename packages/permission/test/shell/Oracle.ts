/** Real shells as judges. They run lines in a folder of their own, without programs, and note what ran, where, and what was written. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"

/** A command that ran. */
export interface Run {
  readonly name: string
  readonly args: ReadonlyArray<string>
  /** Relative to where the line began. */
  readonly folder: string
}

export interface Observed {
  readonly runs: ReadonlyArray<Run>
  /** Files that the line wrote, relative to where it began. */
  readonly written: ReadonlyArray<string>
}

export const shells = {
  bash: ["bash", "--norc", "--noprofile"],
  posix: ["bash", "--norc", "--noprofile", "--posix"],
  dash: ["dash"]
} as const
export type Shell = keyof typeof shells

/** What the names in a line are. */
export type Names = "functions" | "programs"

export const isThere = (shell: Shell): boolean => spawnSync(shells[shell][0], ["-c", ":"]).status === 0

/** What variables hold: text that runs something where a shell evaluates it. */
const variables = { x: "w[$(pwn x)]", y: "pwn y", z: "-vw[$(pwn z)]" }

const succeeding = ["a", "b", "c", "d", "e", "pwn"]
const failing = ["f", "g", "h"]

/** The last word of each record. */
const mark = "\x01|\x02"
const end = `${mark}\0`

/** Notes the words of a command, where it runs, and for which line. One write, so that commands at the same time don't mix. */
const note = `printf '%s\\0' "$__case" "$PWD" "$@" '${mark}' >&9`

/**
 * Names are functions, which costs no process, or programs. Other names come to `command_not_found_handle`. A function that has run too
 * often ends its shell, so that loops end.
 */
const driver = (names: Names): string => `
__note() {
  __count=$((__count + 1))
  if [ "$__count" -gt 40 ]; then exit 1; fi
  ${note}
}
${names === "programs" ? "" : succeeding.map((name) => `${name}() { __note ${name} "$@"; }`).join("\n")}
${names === "programs" ? "" : failing.map((name) => `${name}() { __note ${name} "$@"; return 1; }`).join("\n")}
command_not_found_handle() { __note "$@"; return 127; }
__count=0 __case=$1
export __case
shift
for __line do
  __case=$((__case + 1))
  printf '%s\\0' "$__case" begun '${mark}' >&9
  ( ulimit -t 2; set -- 'w[$(pwn p)]'; eval "$__line" ) < /dev/null > /dev/null 2>&1
done
exit 0
`

const stub = `#!/bin/sh
set -- "\${0##*/}" "$@"
${note}
case "$1" in ${failing.join("|")}) exit 1 ;; esac
`

const whereIs = (name: string): string =>
  spawnSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).stdout.trim()

const bubblewrap = whereIs("bwrap")

/** Nothing can be written but the folder, and there is no network. */
const walls = (folder: string): ReadonlyArray<string> => [
  bubblewrap,
  "--ro-bind",
  "/",
  "/",
  "--bind",
  folder,
  folder,
  "--dev",
  "/dev",
  "--unshare-all",
  "--die-with-parent"
]

const works = ([name = "", ...args]: ReadonlyArray<string>): boolean => spawnSync(name, [...args, "true"]).status === 0

/** Without a sandbox lines run too, but only such as are sure to write nothing elsewhere. */
export const isSandboxed = bubblewrap !== "" && works(walls(tmpdir()))

/** How long a shell may note nothing, in milliseconds. A line may compute for two seconds (`ulimit -t`), on a busy machine for longer. */
const stillness = 5000

/** Ends a shell that notes nothing any more. Call what it returns once the shell has ended. */
const endWhenStill = (child: ChildProcess, notes: number): (() => void) => {
  let [size, since] = [-1, Date.now()]
  const look = setInterval(() => {
    const { size: now } = fstatSync(notes)
    if (now !== size) [size, since] = [now, Date.now()]
    else if (Date.now() - since > stillness) child.kill("SIGKILL")
  }, 250)
  return () => clearInterval(look)
}

/** Folders between the first one and the one in which lines begin. `cd ..` stays inside. */
const deep = Array.from({ length: 12 }, () => "p")

/** Runs lines, each in a shell of its own. The files that they name begin with `q`, the place of the line, from 1, and `_`. */
export const observe = async (
  shell: Shell,
  lines: ReadonlyArray<string>,
  names: Names = "functions"
): Promise<ReadonlyArray<Observed>> => {
  const folder = mkdtempSync(join(tmpdir(), "shell-oracle-"))
  const notes = join(folder, "notes")
  const fd = openSync(notes, "a")
  try {
    const start = join(folder, ...deep)
    mkdirSync(join(start, "d", "e"), { recursive: true })
    mkdirSync(join(start, "e"))
    const script = join(folder, "driver")
    writeFileSync(script, driver(names))
    const programs = join(folder, "programs")
    mkdirSync(programs)
    if (names === "programs")
      for (const name of [...succeeding, ...failing]) writeFileSync(join(programs, name), stub, { mode: 0o755 })
    const [name, ...options] = shells[shell]
    const [first = "", ...args] = [...(isSandboxed ? walls(folder) : []), whereIs(name), ...options, script]
    let begun = 0
    while (begun < lines.length) {
      const child = spawn(first, [...args, String(begun), ...lines.slice(begun)], {
        cwd: start,
        env: { PATH: programs, HOME: start, FUNCNEST: "20", ...variables },
        stdio: ["ignore", "ignore", "ignore", "ignore", "ignore", "ignore", "ignore", "ignore", "ignore", fd]
      })
      const over = endWhenStill(child, fd)
      const [code] = await once(child, "exit").finally(over)
      if (code === 0) break
      // A line may wait for itself for ever. It is left out, and the next one is the first of another shell.
      const last = readFileSync(notes, "utf8")
        .split(end)
        .findLast((record) => record.endsWith("\0begun\0"))
      if (code !== null || last === undefined) throw new Error(`${shell} ended with ${code}`)
      begun = Number(last.split("\0")[0])
    }
    return observedIn(readFileSync(notes, "utf8"), folder, start, lines.length)
  } finally {
    closeSync(fd)
    rmSync(folder, { recursive: true, force: true })
  }
}

const observedIn = (notes: string, top: string, start: string, count: number): ReadonlyArray<Observed> => {
  const found = Array.from({ length: count }, () => ({ runs: new Array<Run>(), written: new Array<string>() }))
  for (const record of notes.split(end)) {
    // A shell writes at the end of each line, so that another one may write between.
    if (record.includes("\n")) continue
    const [place, folder, name, ...args] = record.split("\0").slice(0, -1)
    if (folder === undefined || name === undefined) continue
    found[Number(place) - 1]?.runs.push({ name, args, folder: relative(start, folder) || "." })
  }
  for (const file of readdirSync(top, { recursive: true, encoding: "utf8" })) {
    const place = /\bq(\d+)_/.exec(file)?.[1]
    if (place !== undefined) found[Number(place) - 1]?.written.push(relative(start, join(top, file)))
  }
  return found
}
