/** A client of a chain with package sources: it prompts the tool caller, and reads what that says. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Client } from "../../Parts.ts"

/** A step of the tool caller's script. */
export type Step = { readonly [name: string]: unknown }

const script = (...steps: ReadonlyArray<Step>): string => JSON.stringify(steps)

/** A call of a tool that researchers have. */
export const research = (call: string, args: object): Step => ({ call, server: "rust-crate-sources", with: args })

/** The question of the client's agent to a researcher that follows these steps. */
export const query = (args: object, ...steps: ReadonlyArray<Step>): Step => ({
  call: "rust_crate_query",
  server: "rust-crate-query",
  with: { ...args, prompt: script(...steps) }
})

/** Opens a session in a folder. */
export const sessionIn = Effect.fnUntraced(function* (client: Client, cwd: string) {
  const session = yield* client.request("session/new", JSON.stringify({ cwd, mcpServers: [] }))
  return String(JSON.parse("result" in session ? session.result : "null").sessionId)
})

/** Has the agent carry out steps, and returns all that the client has heard meanwhile. */
export const prompt = Effect.fnUntraced(function* (client: Client, sessionId: string, ...steps: ReadonlyArray<Step>) {
  yield* client.request(
    "session/prompt",
    JSON.stringify({ sessionId, prompt: [{ type: "text", text: script(...steps) }] })
  )
  const heard = (yield* Queue.takeAll(client.heard)).map(({ method, params = "null" }) => ({
    method,
    params: JSON.parse(params)
  }))
  const said = heard.flatMap(({ params }) =>
    params.update?.sessionUpdate === "agent_message_chunk" ? [String(params.update.content.text)] : []
  )
  return { heard, said: said.join("") }
})

/** The structured result in what the tool caller says of a call. */
export const resultIn = (said: string): unknown => {
  const line = said.split("\n").find((one) => one.startsWith("OK: "))
  if (line === undefined) throw new Error(`The call has no result. The agent said: ${said}`)
  const [{ text }] = JSON.parse(line.slice(4))
  return JSON.parse(text)
}
