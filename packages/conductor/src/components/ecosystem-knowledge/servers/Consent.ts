/** Asks a person whether a declared server may start. Nobody else answers, and no answer is remembered. */
import type { Neighbour } from "@signalbox/acp/AcpProxy"
import * as Acp from "@signalbox/acp/AcpSchema"
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import * as ComponentMeta from "@signalbox/contracts/ComponentMeta"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import type { Host } from "../../../BuiltInComponent.ts"
import { fail, type NotHad } from "../tools/Named.ts"
import type { DeclaredServer } from "./DeclaredServer.ts"

const start = "start"

const options = [
  { optionId: start, name: "Start it this once", kind: "allow_once" },
  { optionId: "reject", name: "Don't start it", kind: "reject_once" }
] as const

const decodeAnswer = Schema.decodeUnknownEffect(Acp.RequestPermissionResponse)

/** The words for a person, as plain text. */
const wordsOf = ({ commandLine, declaredBy }: DeclaredServer, cwd: string): string =>
  [
    `The agent asks to start a program of a dependency, as an MCP server.`,
    `Command: ${commandLine}`,
    `Folder: ${cwd}`,
    `Declared by: ${declaredBy}`,
    `It runs with your rights until the session ends. Of your environment it gets only what every program needs.`
  ].join("\n")

/** A longer command line stands below the title only, so that nothing of it looks as if it was all. */
const longestInTitle = 300

const titleOf = ({ commandLine, title }: DeclaredServer): string =>
  commandLine.length <= longestInTitle
    ? `Start ${title}: ${commandLine}`
    : `Start ${title}, whose command has ${commandLine.length} characters`

/**
 * Completes if a person agrees. Fails with a sentence for the agent otherwise.
 *
 * @param client the side of the chain where people are
 */
export const ask = Effect.fnUntraced(function* (
  client: Pick<Neighbour, "request">,
  sessionId: string,
  server: DeclaredServer,
  cwd: string,
  seal: Host["seal"]
): Effect.fn.Return<void, NotHad> {
  const { commandLine, declaredBy, title } = server
  const refused = (why: string) => fail(`${title} was not started. ${why}`)
  const answer = yield* client
    .request("session/request_permission", {
      sessionId,
      toolCall: {
        toolCallId: `start-server-${randomUUID()}`,
        title: titleOf(server),
        kind: "execute",
        status: "pending",
        rawInput: { command: commandLine, cwd, description: `Declared by ${declaredBy}` },
        content: [{ type: "content", content: { type: "text", text: wordsOf(server, cwd) } }]
      },
      options,
      _meta: { ...ComponentMeta.forPeople, ...seal?.mark() }
    })
    .pipe(
      Effect.catch(({ code, message }) =>
        refused(
          code === ErrorCode.MethodNotFound
            ? "The client offers no permission requests, so nobody can agree."
            : `The permission request failed: ${message.slice(0, 500)}`
        )
      )
    )
  const { outcome } = yield* decodeAnswer(answer).pipe(
    Effect.catch(() => refused("The answer to the permission request can't be read, so nobody has agreed."))
  )
  if (outcome.outcome === "cancelled") return yield* refused("The permission request was cancelled.")
  if (outcome.optionId !== start) return yield* refused("The answer to the permission request was no.")
})
