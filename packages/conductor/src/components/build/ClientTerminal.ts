/** Runs a command in a terminal of the client: people see it there, and the client's own rules decide about it. */
import type { Neighbour } from "@signalbox/acp/AcpProxy"
import type { RpcError } from "@signalbox/acp/JsonRpc"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as CutOutput from "./CutOutput.ts"
import { NotRun, type ProjectCommand, type Ran } from "./ProjectCommand.ts"

export interface Place {
  readonly client: Pick<Neighbour, "request">
  readonly sessionId: string
  readonly cwd: string
  /** Outlives a call that is cancelled, to end what the client starts for it late. */
  readonly scope: Scope.Scope
}

/** Bytes of output that the client is asked to keep. */
const keptByClient = 1024 * 1024

/** How long the client may take to end a command, and to answer what needs no time. */
const patience = "5 seconds"

const Created = Schema.Struct({ terminalId: Schema.String })
const status = {
  exitCode: Schema.optional(Schema.NullOr(Schema.Int)),
  signal: Schema.optional(Schema.NullOr(Schema.String))
}
const Exited = Schema.Struct(status)
const Output = Schema.Struct({ output: Schema.String, truncated: Schema.optional(Schema.NullOr(Schema.Boolean)) })

/** Runs it. Interruption ends it, also one that the client starts only afterwards. */
export const run = Effect.fnUntraced(function* (
  { args, line, program }: ProjectCommand,
  { client, cwd, scope, sessionId }: Place,
  seconds: number
): Effect.fn.Return<Ran, NotRun, Scope.Scope> {
  const failed = (what: string) =>
    Effect.mapError(
      ({ message }: RpcError | Schema.SchemaError) => new NotRun({ message: `The client ${what} ${line}: ${message}` })
    )
  const ask = <A>(method: string, schema: Schema.Codec<A, unknown>, params: object) =>
    Effect.flatMap(client.request(method, { sessionId, ...params }), Schema.decodeUnknownEffect(schema))

  const creating = yield* Effect.forkIn(
    ask("terminal/create", Created, { command: program, args, env: [], cwd, outputByteLimit: keptByClient }),
    scope
  )
  const release = Effect.flatMap(Fiber.join(creating), ({ terminalId }) =>
    Effect.timeoutOption(client.request("terminal/release", { sessionId, terminalId }), patience)
  )
  yield* Effect.addFinalizer(() =>
    // A fiber of its own has a time limit also where this one is interrupted.
    Effect.flatMap(Effect.forkIn(Effect.ignore(release), scope), (releasing) =>
      // The client may still be asking its people whether the command may run. Nobody waits for that any more.
      creating.pollUnsafe() === undefined ? Effect.void : Fiber.await(releasing)
    )
  )

  const { terminalId } = yield* Fiber.join(creating).pipe(failed("did not run"))
  const waiting = ask("terminal/wait_for_exit", Exited, { terminalId })
  const first = yield* Effect.timeoutOption(waiting, `${seconds} seconds`).pipe(failed("does not say the end of"))
  const ending = Option.isSome(first)
    ? first
    : yield* Effect.ignore(
        Effect.timeoutOption(client.request("terminal/kill", { sessionId, terminalId }), patience)
      ).pipe(Effect.andThen(Effect.timeoutOption(waiting, patience)), failed("does not say the end of"))
  const { output, truncated } = yield* ask("terminal/output", Output, { terminalId }).pipe(failed("has no output of"))
  const cut = CutOutput.make()
  cut.push(new TextEncoder().encode(output))
  const { exitCode, signal } = Option.getOrElse(ending, (): typeof Exited.Type => ({}))
  return {
    ranIn: "client-terminal",
    ...(typeof exitCode === "number" && { exitCode }),
    ...(typeof signal === "string" && { signal }),
    timedOut: Option.isNone(first),
    output: cut.read(),
    notes: [
      ...(truncated === true ? ["The client has not kept the beginning of the output."] : []),
      ...(Option.isNone(ending) ? ["The client has not said that the command has ended."] : [])
    ]
  }
}, Effect.scoped)
