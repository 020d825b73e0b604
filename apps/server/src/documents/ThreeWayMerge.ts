/** Merges two changes of one text by `git merge-file`, in a folder of its own. No repository is read. */
import type { DocumentMerge } from "@signalbox/contracts/Documents"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import { messageOf, SystemRefused, systemRefused } from "@signalbox/system/SystemError"
import * as TemporaryFolder from "../base/TemporaryFolder.ts"

export interface Texts {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** The time limit for one run of git, in milliseconds. */
const patience = 10_000

/** More than three texts and their marks can have. */
const mostOutput = 64 * 1024 * 1024

/** Marks longer than this are not used: the texts have such lines themselves. */
const longestMark = 200

/** Merges. What git can't do is said and is no failure: people can still choose between whole texts. */
export const merge = (texts: Texts): Effect.Effect<DocumentMerge> =>
  Effect.gen(function* () {
    const folder = yield* TemporaryFolder.make("merge")
    yield* Effect.tryPromise({
      try: async () => {
        for (const name of ["mine", "base", "theirs"] as const)
          await writeFile(join(folder, name), texts[name], { mode: 0o600, flag: "wx" })
      },
      catch: systemRefused
    })
    const mark = markOf(texts)
    const label = randomUUID()
    const all = yield* run(folder, ["--diff3", "--marker-size", String(mark), "-L", label, "-L", label, "-L", label])
    if (all.conflicts === 0) return { type: "clean", text: all.text } as const
    const mine = yield* run(folder, ["--ours"])
    const theirs = yield* run(folder, ["--theirs"])
    return { type: "conflict", mine: mine.text, theirs: theirs.text, places: placesIn(all.text, mark, label) } as const
  }).pipe(
    Effect.scoped,
    Effect.catch((error) => Effect.succeed({ type: "impossible", why: error.message } as const))
  )

const run = (folder: string, options: ReadonlyArray<string>) =>
  Effect.callback<{ readonly text: string; readonly conflicts: number }, SystemRefused>((resume, signal) => {
    execFile(
      "git",
      ["merge-file", "-p", "-q", ...options, "mine", "base", "theirs"],
      {
        cwd: folder,
        env: ChildEnvironment.of(process.env, {
          GIT_CEILING_DIRECTORIES: folder,
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_CONFIG_GLOBAL: "/dev/null",
          LC_ALL: "C"
        }),
        maxBuffer: mostOutput,
        timeout: patience,
        signal
      },
      (error, stdout) => {
        // The exit status is the number of conflicts, at most 127. A greater one is an error.
        const conflicts = error === null ? 0 : typeof error.code === "number" ? error.code : undefined
        if (conflicts !== undefined && conflicts <= 127) return resume(Effect.succeed({ text: stdout, conflicts }))
        const why = error?.code === "ENOENT" ? "Git isn’t installed." : `git merge-file failed: ${messageOf(error)}`
        resume(Effect.fail(new SystemRefused({ message: why })))
      }
    )
  })

/** A length of marks that no line of the texts has. */
const markOf = (texts: Texts): number => {
  let longest = 7
  for (const text of [texts.base, texts.mine, texts.theirs])
    for (const [run] of text.matchAll(/^(?:=+|\|+|<+|>+)/gm)) longest = Math.max(longest, run.length + 1)
  return longest
}

/** The places of the conflicts in the text that keeps my side of them. Reads the output of git once. */
const placesIn = (output: string, mark: number, label: string) => {
  if (mark > longestMark) return []
  const places: Array<{ readonly from: number; readonly to: number }> = []
  const of = (sign: string, named = true) => sign.repeat(mark) + (named ? ` ${label}` : "")
  const [begin, base, middle, end] = [of("<"), of("|"), of("=", false), of(">")]
  let side: "both" | "mine" | "base" | "theirs" = "both"
  let line = 1
  let from = 1
  for (const whole of output.split("\n")) {
    const text = whole.endsWith("\r") ? whole.slice(0, -1) : whole
    if (side === "both" && text === begin) {
      side = "mine"
      from = line
    } else if (side === "mine" && text === base) side = "base"
    else if (side === "base" && text === middle) side = "theirs"
    else if (side === "theirs" && text === end) {
      side = "both"
      places.push({ from, to: line - 1 })
    } else if (side === "both" || side === "mine") line += 1
  }
  return places
}
