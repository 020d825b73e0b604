/**
 * A program that holds another one, such as bubblewrap: it ends by SIGTERM without passing it on, and reads a part of its
 * arguments from a pipe.
 */
import type { ChildProcess, ChildProcessWithoutNullStreams, StdioOptions } from "node:child_process"
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs"
import { Writable } from "node:stream"

export interface Holder {
  /**
   * What it reads from file descriptor 3, each text with a NUL at its end. They may hold secrets, which other users see
   * in arguments.
   */
  readonly words: ReadonlyArray<string>
}

/** The file descriptor of the words. */
const wordsAt = 3

const closeOnExec = 0o2000000

/** Our file descriptors that a new process would inherit, beyond its own. Whoever started us may have left some open. */
const inherited = (): ReadonlyArray<number> =>
  readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => fd > wordsAt && isInherited(fd))

const isInherited = (fd: number): boolean => {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    // The file descriptor of the listing itself is closed by now.
    return false
  }
}

/**
 * Starts a holder by `spawn`, with a pipe for its words. A file descriptor that it would inherit is put out of use:
 * it may lead to a folder outside of the sandbox.
 */
export const spawned = (
  { words }: Holder,
  spawn: (stdio: StdioOptions) => ChildProcess
): ChildProcessWithoutNullStreams => {
  // What follows a NUL would be another word, such as one more mount.
  if (words.some((word) => word.includes("\0"))) throw new Error("A word holds a NUL")
  const open = inherited()
  const nothing = openSync("/dev/null", "r")
  try {
    const stdio: Array<"pipe" | "ignore" | number> = ["pipe", "pipe", "pipe", "pipe"]
    for (const fd of open) {
      while (stdio.length < fd) stdio.push("ignore")
      stdio[fd] = nothing
    }
    const child = spawn(stdio)
    if (!isPiped(child)) throw new Error("The program has no pipes.")
    // Without a process there is an error event, and there may be no pipes.
    const pipe = child.pid === undefined ? undefined : child.stdio[wordsAt]
    if (pipe instanceof Writable) {
      // Its exit says more than the broken pipe of a program that did not read.
      pipe.on("error", () => {})
      pipe.end(words.map((word) => `${word}\0`).join(""))
    }
    return child
  } finally {
    closeSync(nothing)
  }
}

const isPiped = (child: ChildProcess): child is ChildProcessWithoutNullStreams =>
  child.stdin !== null && child.stdout !== null && child.stderr !== null
