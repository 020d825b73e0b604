/** A client with terminals: a proxy in front of the chain that runs their programs, and remembers what it was asked for. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { proxy } from "../../Parts.ts"

export interface Options {
  /** Waits before a program is started, or refuses it. */
  readonly allow?: Effect.Effect<void, RpcError>
  /** What `terminal/output` answers in the place of the output. */
  readonly output?: object
}

/** What stands upstream of the component, and the requests that have come so far. */
export const make = ({ allow = Effect.void, output }: Options = {}) => {
  const asked: Array<{ readonly method: string; readonly params: { readonly [name: string]: unknown } }> = []
  const released = Deferred.makeUnsafe<void>()
  const terminals = new Map<string, { child: ChildProcess; text: string; exited: Deferred.Deferred<object> }>()
  let last = 0
  const note = (method: string, params: object) => Effect.sync(() => void asked.push({ method, params: { ...params } }))
  const of = (id: string) =>
    Effect.suspend(() => {
      const found = terminals.get(id)
      return found === undefined ? Effect.fail(RpcError.invalidParams(`no terminal ${id}`)) : Effect.succeed(found)
    })

  const component = proxy("client", {
    clientRequests: {
      initialize: (params, forward) =>
        forward({ ...params, clientCapabilities: { ...params.clientCapabilities, terminal: true } })
    },
    agentRequests: {
      "terminal/create": Effect.fnUntraced(function* (params) {
        yield* note("terminal/create", params)
        yield* allow
        const child = spawn(params.command, params.args ?? [], { cwd: params.cwd ?? "/", detached: true })
        last += 1
        const terminalId = `t${last}`
        const terminal = { child, text: "", exited: Deferred.makeUnsafe<object>() }
        terminals.set(terminalId, terminal)
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (chunk: Buffer) => void (terminal.text += chunk.toString("utf8")))
        child.on("close", (exitCode, signal) =>
          Deferred.doneUnsafe(terminal.exited, Effect.succeed({ exitCode, signal }))
        )
        return { terminalId }
      }),
      "terminal/wait_for_exit": ({ terminalId }) =>
        Effect.andThen(
          note("terminal/wait_for_exit", { terminalId }),
          Effect.flatMap(of(terminalId), ({ exited }) => Deferred.await(exited))
        ),
      "terminal/output": ({ terminalId }) =>
        Effect.andThen(
          note("terminal/output", { terminalId }),
          Effect.map(of(terminalId), ({ text }) => ({ output: text, truncated: false, ...output }))
        ),
      "terminal/kill": ({ terminalId }) =>
        Effect.andThen(
          note("terminal/kill", { terminalId }),
          Effect.map(of(terminalId), ({ child }) => {
            child.kill("SIGKILL")
            return {}
          })
        ),
      "terminal/release": ({ terminalId }) =>
        Effect.andThen(
          note("terminal/release", { terminalId }),
          Effect.flatMap(of(terminalId), ({ child, exited }) => {
            child.kill("SIGKILL")
            terminals.delete(terminalId)
            const end = Effect.andThen(Deferred.await(exited), Deferred.succeed(released, undefined))
            return Effect.as(Effect.forkDetach(end), {})
          })
        )
    }
  })
  return {
    component,
    asked,
    methods: () => asked.map(({ method }) => method),
    /** Completes when a terminal was given back, and its program is gone. */
    released: Deferred.await(released),
    /** How many terminals there are now. */
    open: () => terminals.size
  }
}
