/** Prepares an MCP server of the settings for an agent: finds its command and replaces its references. */
import type { LocalMcpServer, McpServerSettings, RemoteMcpServer } from "@signalbox/contracts/Settings"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { isAbsolute } from "node:path"
import * as ProgramFile from "@signalbox/process/ProgramFile"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as SecretValues from "@signalbox/redaction/SecretValues"
import * as EnvReferences from "./EnvReferences.ts"

/** A server that can be sent to an agent, with all references replaced. It holds secrets. */
export type ReadyMcpServer =
  | {
      readonly type: "stdio"
      readonly name: string
      /** Absolute. */
      readonly command: string
      readonly args: ReadonlyArray<string>
      readonly env: Readonly<Record<string, string>>
    }
  | {
      readonly type: "http" | "sse"
      readonly name: string
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
    }

/**
 * The prepared server. Fails with the reason that it can't be used, in one sentence. `secrets`: values that must not be
 * written anywhere.
 */
export type Readiness = Result.Result<
  { readonly server: ReadyMcpServer; readonly secrets: ReadonlyArray<string> },
  string
>

export const readinessOf = (name: string, server: McpServerSettings): Effect.Effect<Readiness> =>
  "url" in server ? Effect.succeed(remote(name, server)) : local(name, server)

/** Replaces references, and remembers their values as secrets. */
const resolver = () => {
  const secrets: Array<string> = []
  const text = (source: string): Result.Result<string, string> =>
    Result.mapBoth(EnvReferences.resolve(source, process.env), {
      onSuccess: ({ text, values }) => {
        secrets.push(...values)
        return text
      },
      onFailure: (name) => `The variable ${name} is not set where Signalbox runs.`
    })
  const texts = (sources: ReadonlyArray<string>) => Result.all(sources.map(text))
  const values = (record: Readonly<Record<string, string>>): Result.Result<Record<string, string>, string> =>
    Result.map(texts(Object.values(record)), (resolved) => {
      const pairs = Object.keys(record).map((key, index) => [key, resolved[index] ?? ""] as const)
      return Object.fromEntries(pairs)
    })
  return { secrets, text, texts, values }
}

/** The shortest secret. Shorter values occur everywhere. */
const minSecret = 6

const longEnough = (secrets: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(secrets.filter(({ length }) => length >= minSecret))
]

/** The secrets of headers. In `Bearer abc`, the part behind the scheme is a secret by itself. */
const credentials = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  SecretValues.ofEnvironment(headers).flatMap((value) => [value, value.slice(value.lastIndexOf(" ") + 1)])

const inAddress = (address: string): ReadonlyArray<string> =>
  Redaction.spansIn(address).map(({ end, start }) => address.slice(start, end))

const remote = (name: string, { headers = {}, type, url }: RemoteMcpServer): Readiness =>
  Result.gen(function* () {
    const { secrets, text, values } = resolver()
    const address = yield* text(url)
    if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
      return yield* Result.fail("Its address is no http URL.")
    const resolved = yield* values(headers)
    const server = { type, name, url: address, headers: resolved }
    return { server, secrets: longEnough([...secrets, ...inAddress(address), ...credentials(resolved)]) }
  })

const local = Effect.fnUntraced(function* (
  name: string,
  { args = [], command, env = {} }: LocalMcpServer
): Effect.fn.Return<Readiness> {
  const { secrets, text, texts, values } = resolver()
  const resolved = Result.all({ program: text(command), args: texts(args), env: values(env) })
  if (Result.isFailure(resolved)) return Result.fail(resolved.failure)
  const { program } = resolved.success
  if (program.includes("/") && !isAbsolute(program)) {
    return Result.fail(`Its command has to be a name or an absolute path, and ${program} is neither.`)
  }
  const { PATH } = { ...process.env, ...resolved.success.env }
  const found = yield* Effect.result(Effect.tryPromise(() => ProgramFile.find(program, "/", PATH)))
  if (Result.isFailure(found)) {
    return Result.fail(
      isAbsolute(program) ? `There is no program ${program}.` : `There is no program ${program} in PATH.`
    )
  }
  const server = {
    type: "stdio" as const,
    name,
    command: found.success,
    args: resolved.success.args,
    env: resolved.success.env
  }
  return Result.succeed({
    server,
    secrets: longEnough([
      ...secrets,
      ...SecretValues.ofArguments(resolved.success.args),
      ...SecretValues.ofEnvironment(resolved.success.env)
    ])
  })
})
