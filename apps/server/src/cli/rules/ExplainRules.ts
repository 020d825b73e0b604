/** `signalbox rules explain`: what the rules make of a request, and why. */
import type { Decision } from "@signalbox/permission/rules/Decision"
import * as NamedFile from "@signalbox/system/NamedFile"
import { reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { resolve } from "node:path"
import type { Readable } from "node:stream"
import * as Judging from "../../rules/Judging.ts"
import * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesProblem from "../../rules/RulesProblem.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as WorkFolder from "../server/WorkFolder.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as CallJudging from "./CallJudging.ts"
import * as DecisionText from "./DecisionText.ts"
import * as GivenRequest from "./GivenRequest.ts"

export interface ExplainFlags {
  readonly stateDir: Option.Option<string>
  readonly cwd: string
  readonly rules: Option.Option<string>
  readonly agent: string
  readonly command: Option.Option<string>
  readonly request: Option.Option<string>
  readonly json: boolean
}

export const explain = Effect.fn("Rules.explain")(function* (flags: ExplainFlags) {
  const stateFolder = yield* StateFolder.of(flags.stateDir)
  const cwd = yield* WorkFolder.of("rules explain", flags.cwd)
  const rules = RulesFiles.inForce(yield* sound(flags, stateFolder))
  const origin: Judging.Origin = { agent: flags.agent, cwd, own: [stateFolder] }
  const asked = yield* askedFor(flags)
  const decision =
    asked.type === "command"
      ? yield* Judging.command(rules, origin, asked.text)
      : yield* Result.match(GivenRequest.of(asked.text), {
          onSuccess: (call) => CallJudging.judge(rules, origin, call),
          onFailure: (why) => Effect.succeed(unclear(why))
        })
  const lines = flags.json ? [jsonText(DecisionText.jsonOf(decision))] : DecisionText.linesOf(decision)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
})

/** What can't be read can't be allowed: people are asked about it. */
const unclear = (why: string): Decision => ({
  effect: "ask",
  rule: undefined,
  inspectable: false,
  obstacles: [],
  commands: [],
  paths: [],
  why
})

/** The files that count. Fails if a file of the person has a fault: nobody knows then what it would say. */
const sound = Effect.fnUntraced(function* ({ cwd, rules }: ExplainFlags, stateFolder: string) {
  const files = yield* RulesFiles.find({ stateFolder, cwd, named: Option.getOrUndefined(rules) })
  for (const file of files) {
    if (file.state === "missing" && file.isNamed)
      return yield* usage("rules explain", `--rules: ${file.path} does not exist.`)
    const problem = RulesProblem.of(file)
    if (problem === undefined) continue
    if (file.source === "user") return yield* failedWith(problem)
    Terminal.err(problemShown(problem))
  }
  return files
})

interface Asked {
  readonly type: "command" | "request"
  readonly text: string
}

const askedFor = Effect.fnUntraced(function* ({ command, request }: ExplainFlags) {
  if (Option.isSome(command) === Option.isSome(request))
    return yield* usage("rules explain", "Give it --command or --request, and not both.")
  if (Option.isSome(command)) {
    const text = command.value === "-" ? yield* Effect.promise(() => bounded(process.stdin)) : command.value
    return { type: "command", text } satisfies Asked
  }
  const file = Option.getOrThrow(request)
  const text = yield* Effect.tryPromise({
    try: () => (file === "-" ? bounded(process.stdin) : ofFile(resolve(file))),
    catch: (error) => usage("rules explain", `--request: ${resolve(file)}: ${reasonOf(error)}.`)
  })
  return { type: "request", text } satisfies Asked
})

/** More of a request is not read. What is longer is not JSON then, or a command that is too long to be judged. */
const mostBytes = 64 * 1024 * 1024

const ofFile = async (path: string): Promise<string> =>
  (await NamedFile.read(path, { most: mostBytes })).toString("utf8")

const bounded = async (stream: Readable): Promise<string> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > mostBytes) break
  }
  return Buffer.concat(chunks).toString("utf8")
}
