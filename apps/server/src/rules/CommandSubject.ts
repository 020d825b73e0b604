/** What a command line would run and touch, with what this machine says about its paths. */
import * as Mentions from "@signalbox/permission/rules/Mentions"
import type { CommandPart, NamedPath, Subject } from "@signalbox/permission/rules/Subject"
import * as ShellLine from "@signalbox/permission/shell/ShellLine"
import type { Obstacle, Redirection, SimpleCommand, Word } from "@signalbox/permission/shell/ShellReading"
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import * as Containment from "../workspace/Containment.ts"
import * as PathLooking from "./PathLooking.ts"

/** The part of a subject that a command line makes. */
export type CommandSubject = Pick<Subject, "obstacles" | "paths"> & { readonly commands: ReadonlyArray<CommandPart> }

/** More commands than these are not looked at one by one. */
const mostCommands = 256

/** More paths of one line are not followed. Each of them takes several looks at the disk. */
const mostPaths = 512

/** A pattern for file names takes as many looks as these paths. */
const patternCounts = 16

/**
 * Reads a line and follows its paths.
 *
 * @param cwd where the line begins, absolute. Null where that is not known
 */
export const of = (line: string, cwd: string | null, grant: PathLooking.Grant): Effect.Effect<CommandSubject> =>
  Effect.gen(function* () {
    const { commands, obstacles, redirections } = ShellLine.read(line)
    if (commands.length + redirections.length === 0 && obstacles.length > 0) return unread(line, obstacles)
    if (commands.length > mostCommands)
      return unread(line, [...obstacles, obstacle(line, `runs more than ${mostCommands} commands`)])
    const written = commands.map(mentioned)
    const count = written.reduce((sum, { mentions }) => sum + weightOf(mentions), redirections.length)
    if (count > mostPaths) return unread(line, [...obstacles, obstacle(line, `names more than ${mostPaths} files`)])
    const parts = yield* Effect.forEach(written, (command) => partOf(command, cwd, grant))
    const targets = redirections.map((redirection) => ({ ...redirection, target: expanded(redirection.target) }))
    const opened = targets.flatMap((redirection) => namedOf(redirection, cwd) ?? [])
    return {
      commands: parts.map(({ part }) => part),
      paths: yield* PathLooking.followAll(grant, opened),
      obstacles: [
        ...obstacles,
        ...parts.flatMap(({ tooMany }) => tooMany),
        ...targets
          .filter(isOpen)
          .map(({ target }) => obstacle(textOf(target), "is a file that is known only when it runs"))
      ]
    }
  })

/** A line that is not taken apart is one command of unknown words. Rules that deny or ask may be about it. */
const unread = (line: string, obstacles: ReadonlyArray<Obstacle>): CommandSubject => ({
  commands: [
    {
      words: [{ type: "unknown", text: line.slice(0, 200) }],
      text: line.slice(0, 200),
      isInside: null,
      folder: { path: ".", access: "any", said: null, leadsTo: null },
      paths: []
    }
  ],
  paths: [],
  obstacles
})

const obstacle = (text: string, why: string): Obstacle => ({ text: text.slice(0, 200), why })

const folderOf = (folder: string | null, cwd: string | null): string | null => {
  if (folder === null || isAbsolute(folder)) return folder
  return cwd === null ? null : `${cwd}/${folder}`
}

interface Mentioned extends SimpleCommand {
  readonly mentions: ReturnType<typeof Mentions.of>
}

const mentioned = (command: SimpleCommand): Mentioned => {
  const words = command.words.map(expanded)
  return { ...command, words, mentions: Mentions.of(words) }
}

const weightOf = (mentions: Mentioned["mentions"]): number =>
  typeof mentions === "string"
    ? 0
    : mentions.reduce((sum, { below }) => sum + (below === undefined ? 1 : patternCounts), 0)

const partOf = Effect.fnUntraced(function* (
  { folder, mentions, text, words }: Mentioned,
  cwd: string | null,
  grant: PathLooking.Grant
) {
  const base = folderOf(folder, cwd)
  const named = typeof mentions === "string" ? [] : mentions
  const paths = yield* PathLooking.followAll(
    grant,
    named.map(({ text: path, ...rest }) => ({ path, access: "any", base, ...rest }))
  )
  const runsIn = yield* folderAt(base)
  const { leadsTo } = runsIn
  const isInside = leadsTo === null ? null : grant.roots.some((root) => isWithin(root, leadsTo))
  const part: CommandPart = { words, text, isInside, folder: runsIn, paths }
  return { part, tooMany: typeof mentions === "string" ? [obstacle(text, mentions)] : [] }
})

const folderAt = (path: string | null): Effect.Effect<NamedPath> => {
  const named = { path: ".", access: "any", said: path === null ? null : join(path) } as const
  return path === null
    ? Effect.succeed({ ...named, leadsTo: null })
    : Effect.promise(() =>
        Containment.follow(path).then(
          (real): NamedPath => ({ ...named, leadsTo: real.ofProcess ? null : real.path }),
          (): NamedPath => ({ ...named, leadsTo: null })
        )
      )
}

/** The word that a program gets for one that begins with the home folder. */
const expanded = (word: Word): Word =>
  word.type === "home" ? { type: "literal", value: word.rest === "" ? homedir() : join(homedir(), word.rest) } : word

const textOf = (word: Word): string => {
  if (word.type === "literal") return word.value
  return word.type === "home" ? `~/${word.rest}` : word.text
}

const isOpen = ({ target }: Redirection): boolean => target.type !== "literal"

const namedOf = ({ access, folder, target }: Redirection, cwd: string | null): PathLooking.Named | undefined =>
  target.type === "literal" ? { path: target.value, access, base: folderOf(folder, cwd) } : undefined
