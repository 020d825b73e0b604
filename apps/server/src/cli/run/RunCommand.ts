/** Turns the flags of `signalbox run` into a run, or into the usage error that says what is wrong with them. */
import { ResumeToken } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import { text as readAll } from "node:stream/consumers"
import * as Run from "../../compose/Run.ts"
import { agentOf, type ChosenAgent, withOptions } from "./AgentChoice.ts"
import * as WorkFolder from "../server/WorkFolder.ts"
import { failedWith, usage, type UsageError } from "../terminal/Failure.ts"
import * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesProblem from "../../rules/RulesProblem.ts"
import type { ApprovalPolicy } from "./ApprovalPolicy.ts"
import { listSettings } from "./ListSettings.ts"
import * as Attachments from "./Attachments.ts"
import * as Printer from "../terminal/Printer.ts"
import * as Remember from "./Remember.ts"
import { run, type SessionInput } from "./Run.ts"
import { parseSet, type Wish } from "./SettingChoice.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as TapeFlag from "../tape/TapeFlag.ts"

export interface RunFlags {
  readonly provider: Option.Option<string>
  readonly agent: Option.Option<string>
  readonly cwd: Option.Option<string>
  readonly mode: Option.Option<string>
  readonly model: Option.Option<string>
  readonly set: ReadonlyArray<string>
  readonly option: ReadonlyArray<string>
  readonly env: ReadonlyArray<string>
  readonly image: ReadonlyArray<string>
  readonly file: ReadonlyArray<string>
  readonly remember: boolean
  readonly approve: ApprovalPolicy | "ask"
  readonly rules: Option.Option<string>
  readonly resume: Option.Option<string>
  readonly json: boolean
  readonly tape: Option.Option<string>
  readonly timeout: Option.Option<number>
  readonly listSettings: boolean
  readonly prompt: ReadonlyArray<string>
}

export const runCommand = Effect.fn("RunCommand")(function* (flags: RunFlags) {
  const directory = yield* StateFolder.of(Option.none())
  const cwd = yield* WorkFolder.of(
    "run",
    Option.getOrElse(flags.cwd, () => ".")
  )
  const agent = yield* withOptions(yield* agentOf("run", flags, directory, cwd), flags.option)
  const wishes = yield* wishesOf(flags)
  const timeoutMs = yield* timeoutOf(flags.timeout)
  const tape = yield* TapeFlag.pathOf("run", flags.tape)
  if (flags.listSettings && [flags.prompt, flags.image, flags.file].some(({ length }) => length > 0))
    return yield* usage("run", "--list-settings sends no prompt, no image and no file: leave one of the two out.")
  if (flags.remember && Option.isSome(flags.agent))
    return yield* usage("run", "--remember goes by the name of an agent: give one by --provider, not by --agent.")
  // Faults of files are reported before standard input is read.
  const attached = yield* Attachments.partsOf(flags)
  const rules = yield* rulesOf(flags.rules, directory, cwd)
  const words = flags.listSettings ? undefined : yield* promptOf(flags.prompt)
  const asked: SessionInput = {
    ...withoutProfile(agent, flags.approve),
    cwd,
    wishes,
    approve: flags.approve,
    ...(rules !== undefined && { rules }),
    ...Option.match(flags.resume, { onNone: () => ({}), onSome: (token) => ({ resume: ResumeToken.make(token) }) }),
    ...(timeoutMs !== undefined && { timeoutMs })
  }
  const { terminal, written } = Stdout.streamed()
  const { id } = agent.provider
  const memory = flags.remember ? yield* Remember.open(directory, id, cwd, terminal.err) : undefined
  const chosen = memory === undefined || Option.isSome(flags.resume) ? [] : memory.chosen
  if (chosen.length > 0) terminal.aside(`As chosen last in this folder: ${Remember.wordsOf(chosen)}`)
  const input: SessionInput = { ...asked, ...(memory !== undefined && { memory }) }
  const agents = Run.layer({ tape, stateDirectory: directory, rules })
  if (words === undefined)
    return yield* listSettings(input, terminal, flags.json).pipe(Effect.scoped, Effect.provide(agents))
  const printer = flags.json ? Printer.json(terminal) : Printer.text(terminal, cwd)
  const quiet = flags.json ? { ...terminal, aside: () => {} } : terminal
  const prompt = [{ type: "text" as const, text: words }, ...attached]
  process.exitCode = yield* run({ ...input, prompt }, quiet, printer).pipe(Effect.scoped, Effect.provide(agents))
  yield* written
})

/** The agent without a profile that answers for people, where nobody but the rules is to allow anything. */
const withoutProfile = (agent: ChosenAgent, approve: RunFlags["approve"]): ChosenAgent =>
  approve === "rules" || approve === "reject"
    ? {
        ...agent,
        providerOptions: { ...agent.providerOptions, acp: { ...agent.providerOptions.acp, permissions: "ask" } }
      }
    : agent

/** The absolute path of the rules file. Fails if it does not exist or has a fault. */
const rulesOf = Effect.fnUntraced(function* (given: Option.Option<string>, stateFolder: string, cwd: string) {
  if (Option.isNone(given)) return undefined
  const named = resolve(given.value)
  for (const file of yield* RulesFiles.find({ stateFolder, cwd, named })) {
    if (file.state === "missing") return yield* usage("run", `--rules: ${named} does not exist.`)
    const problem = RulesProblem.of(file)
    if (problem !== undefined) return yield* failedWith(problem)
  }
  return named
})

const wishesOf = Effect.fnUntraced(function* ({ mode, model, set }: RunFlags) {
  const wishes: Array<Wish> = []
  if (Option.isSome(model)) wishes.push({ flag: "--model", value: model.value })
  if (Option.isSome(mode)) wishes.push({ flag: "--mode", value: mode.value })
  for (const text of set) {
    const wish = parseSet(text)
    if (wish === undefined) return yield* usage("run", `--set ${JSON.stringify(text)} is not of the form ID=VALUE.`)
    wishes.push(wish)
  }
  return wishes
})

const timeoutOf = (seconds: Option.Option<number>): Effect.Effect<number | undefined, UsageError> => {
  if (Option.isNone(seconds)) return Effect.undefined
  // A timer of Node can't hold more.
  const valid = seconds.value > 0 && seconds.value * 1000 < 2 ** 31
  return valid
    ? Effect.succeed(seconds.value * 1000)
    : usage("run", "--timeout takes a number of seconds greater than 0.")
}

const promptOf = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  if (words.length === 0) return yield* usage("run", "Give it a prompt, or - to read one from standard input.")
  const fromStdin = words.length === 1 && words[0] === "-"
  const prompt = fromStdin ? yield* Effect.promise(() => readAll(process.stdin)) : words.join(" ")
  if (prompt.trim() === "") return yield* usage("run", fromStdin ? "Standard input was empty." : "The prompt is empty.")
  return prompt
})
