/**
 * The narrowest rule that would have answered what people have answered alike. An offer can only be too narrow: what can run other
 * programs, leads out of the project or can't be seen through is never offered.
 */
import { noRuleMatches } from "@signalbox/contracts/Judgement"
import type { Rule } from "@signalbox/contracts/Rule"
import * as CommandPattern from "./CommandPattern.ts"
import type { Decision } from "./Decision.ts"
import * as Ground from "./Ground.ts"
import type { CommandPart } from "./Subject.ts"

/** A program and its arguments, behind all quotes. */
export type Words = ReadonlyArray<string>

/** An answer of a person. */
export interface Given {
  readonly words: Words
  /** Whether it was allowed, once. */
  readonly isAllowed: boolean
}

/** So many like answers in a row, and the next request comes with an offer. */
const enough = 3

const longest = 2000

/** The one command that a rule would have to allow. Undefined if there is more to it, or if no rule should. */
export const commandOf = (decision: Decision, ground: Ground.Ground): Words | undefined => {
  const { commands, effect, inspectable, paths, rule } = decision
  const open = commands.filter((command) => command.effect !== "allow")
  const [only] = open
  if (!inspectable || effect !== "ask" || rule !== undefined || only === undefined || open.length > 1) return undefined
  const isUnmatched = only.effect === "ask" && only.rule === undefined && only.why.startsWith(noRuleMatches)
  if (!isUnmatched || paths.some((path) => path.effect !== "allow")) return undefined
  return isContained(only.command, ground) ? wordsOf(only.command) : undefined
}

const isContained = ({ isInside, paths }: CommandPart, ground: Ground.Ground): boolean =>
  isInside === true &&
  paths.every((path) => path.leadsTo !== null && path.guard === undefined && !Ground.isOutside(ground, path))

const wordsOf = ({ words }: CommandPart): Words | undefined => {
  const known = words.flatMap((word) => (word.type === "literal" ? [word.value] : []))
  const isWhole = known.length === words.length && known.join(" ").length <= longest
  return isWhole && known.every(canBeWritten) && !runsOthers(known) ? known : undefined
}

/** A pattern can neither take its meaning from a star, nor hold a word with both kinds of quotes. */
const canBeWritten = (word: string): boolean =>
  !word.includes("*") && !(word.includes('"') && word.includes("'")) && !/\p{Cc}/u.test(word)

/** Programs that run what their arguments or files say, whatever these are. */
const interpreters: ReadonlySet<string> = new Set(
  (
    "node nodejs deno bun tsx ts-node esrun ruby perl php lua java jshell osascript tclsh awk gawk mawk Rscript R julia elixir " +
    "erl ghci swift scala groovy pwsh powershell npx pnpx bunx uvx pipx ssh gdb lldb vi vim nvim emacs ed make just task rake ant"
  ).split(" ")
)

/** Subcommands by which other programs run something that they are given. */
const running: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    npm: "exec x init create",
    pnpm: "dlx create",
    yarn: "dlx create node",
    go: "run generate",
    cargo: "run",
    dotnet: "run",
    docker: "run exec",
    podman: "run exec",
    kubectl: "exec run",
    uv: "run tool"
  }).map(([name, subcommands]) => [name, new Set(subcommands.split(" "))])
)

/** Programs that run scripts of a project by name: another word is another script. */
const runners: ReadonlySet<string> = new Set(
  "npm pnpm yarn cargo go mvn gradle composer bundle docker podman".split(" ")
)

const runsOthers = ([program = "", ...args]: Words): boolean => {
  const [first = ""] = args
  // A file of the project can become another program at any time.
  if (program.includes("/") || interpreters.has(program) || /^(?:python|pypy)[\d.]*$/.test(program)) return true
  // Options before a subcommand change what runs, such as `git -c`.
  if (program === "git") return first.startsWith("-")
  return args.some((word) => running.get(program)?.has(word) === true)
}

export interface Offer {
  readonly rule: Rule
  /** The answers in a row. */
  readonly times: number
}

/**
 * The rule to offer for a command. Undefined if the latest like answers were not all the same.
 *
 * @param earlier the answers before, the latest one last
 */
export const of = (agent: string, words: Words, earlier: ReadonlyArray<Given>): Offer | undefined => {
  const same = rowOf(earlier.filter((given) => isEqual(given.words, words)))
  if (same >= enough) return offer(agent, { command: words.map(quoted).join(" ") }, same, [words])
  const alike = earlier.filter((given) => isAlike(given.words, words))
  const row = rowOf(alike)
  if (row < enough || runners.has(words[0] ?? "")) return undefined
  const all = [words, ...alike.slice(-row).map((given) => given.words)]
  const last = wildcard(all.map((one) => one.at(-1) ?? ""))
  if (last === undefined) return undefined
  const command = [...words.slice(0, -1).map(quoted), last].join(" ")
  // Another word in this place may be another path.
  return offer(agent, { command, path: "${project}/**" }, row, all)
}

const offer = (
  agent: string,
  match: { readonly command: string; readonly path?: string },
  times: number,
  covered: ReadonlyArray<Words>
): Offer | undefined => {
  const pattern = CommandPattern.of(match.command)
  const isCovered = covered.every(
    (words) =>
      CommandPattern.match(
        pattern,
        words.map((value) => ({ type: "literal", value }))
      ) === "yes"
  )
  return isCovered ? { rule: { effect: "allow", match: { agent, ...match } }, times } : undefined
}

/** The number of answers at the end that allowed. */
const rowOf = (like: ReadonlyArray<Given>): number =>
  like.length - 1 - like.findLastIndex(({ isAllowed }) => !isAllowed)

const isEqual = (one: Words, other: Words): boolean =>
  one.length === other.length && one.every((word, index) => word === other[index])

/** They differ in their last word at most. */
const isAlike = (one: Words, other: Words): boolean =>
  one.length > 1 && isEqual([...one.slice(0, -1), other.at(-1) ?? ""], other)

/**
 * A word with one star for what differs. It begins with what all have in common, so that it never stands for an option. A text that
 * holds a word together with quotes gets none.
 */
const wildcard = (words: Words): string | undefined => {
  const [first = ""] = words
  const shortest = Math.min(...words.map((word) => word.length))
  let before = 0
  while (before < shortest && words.every((word) => word[before] === first[before])) before += 1
  let after = 0
  while (after < shortest - before && words.every((word) => word.at(-1 - after) === first.at(-1 - after))) after += 1
  const head = first.slice(0, before)
  const tail = first.slice(first.length - after)
  return head === "" || head.startsWith("-") || /["'\s]/.test(head + tail) ? undefined : `${head}*${tail}`
}

const quoted = (word: string): string => {
  if (word !== "" && !/["'\s]/.test(word)) return word
  return word.includes('"') ? `'${word}'` : `"${word}"`
}
