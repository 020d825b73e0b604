/**
 * What is changed in a session's folder and not committed. To compare files with the index, git would run the filters that settings name.
 * So all filters are turned off for it.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import { realpath } from "node:fs/promises"
import * as Git from "./Git.ts"
import * as Repository from "./Repository.ts"

/** Turns a filter off. The empty program of `process` stands in for the others, too. */
const off = (driver: string): ReadonlyArray<readonly [string, string]> => [
  [`filter.${driver}.clean`, ""],
  [`filter.${driver}.smudge`, ""],
  [`filter.${driver}.process`, ""],
  [`filter.${driver}.required`, "false"]
]

const section = "filter."

/** The filter that a setting is of: its name stands between the section and the last dot, and may hold dots itself. */
const filterOf = (setting: string): ReadonlyArray<string> => {
  const end = setting.lastIndexOf(".")
  return setting.startsWith(section) && end >= section.length ? [setting.slice(section.length, end)] : []
}

/** Settings by the variables that git takes them from: a name may hold any character. */
const withoutFilters = Effect.fnUntraced(function* (folder: string) {
  const listed = yield* Git.run(folder, ["config", "--null", "--name-only", "--list"])
  if (listed.isCut)
    return yield* new Git.GitFailure({
      message: "git has too many settings here, so nobody can see what it would run."
    })
  const drivers = new Set(listed.text.split("\0").flatMap(filterOf))
  const settings = [...drivers].flatMap(off)
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value]
    ])
  ])
})

/** `staged`: from the last commit to the index. `unstaged`: from the index to the files. */
export type Part = "staged" | "unstaged"

/** The changes below the session's folder, as a diff. */
export const diff = Effect.fn("WorkingChanges.diff")(function* (
  cwd: string,
  part: Part
): Effect.fn.Return<Git.Output, Git.GitFailure> {
  const { top } = yield* Repository.at(cwd)
  const real = yield* Effect.promise(() => realpath(cwd).catch(() => cwd))
  // A setting of a repository can name any folder as its working tree.
  if (!isWithin(top, real))
    return yield* new Git.GitFailure({
      message: `The working tree of this repository is elsewhere: ${top}.`
    })
  const variables = yield* withoutFilters(cwd)
  const words = [...Git.diffWords, "--ignore-submodules=dirty", ...(part === "staged" ? ["--cached"] : []), "--", "."]
  const { isCut, text } = yield* Git.run(cwd, words, variables)
  return { text: text === "" ? "No changes." : text, isCut }
})
