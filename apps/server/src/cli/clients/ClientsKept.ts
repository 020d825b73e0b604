/** `signalbox clients`: works on the file of clients, so no server needs to run. A running server notices the change. */
import { ClientId, ClientName } from "@signalbox/contracts/ClientList"
import type { ClientScope } from "@signalbox/contracts/ClientScope"
import * as Clients from "@signalbox/loopback/Clients"
import { messageOf } from "@signalbox/system/SystemError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { clientsIn, earlierBrowsersIn } from "../../base/StateDirectory.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { type CommandFailed, failedWith, usage, type UsageError } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface Flags {
  readonly stateDir: Option.Option<string>
}

/** The clients of the state folder. Faults of their file are printed. */
export const opened = Effect.fnUntraced(function* ({ stateDir }: Flags) {
  const directory = yield* StateFolder.of(stateDir)
  const file = clientsIn(directory)
  const earlier = earlierBrowsersIn(directory)
  return { clients: Clients.open(file, { earlier, warn: (message) => Terminal.err(message) }), directory, file }
})

/** Changes the file; a fault is a failure with words. */
export const changing = <A>(file: string, change: () => A): Effect.Effect<A, CommandFailed> =>
  Effect.try({ try: change, catch: messageOf }).pipe(
    Effect.mapError((reason) =>
      failedWith({
        code: "storage",
        title: "The clients were not changed.",
        cause: `Their file can't be changed: ${reason}.`,
        evidence: { path: file },
        nextSteps: [{ action: "check-again", label: "Make its folder writable, then try again" }]
      })
    )
  )

const noClient = (id: string) =>
  failedWith({
    code: "command-invalid",
    title: `There is no client ${id}.`,
    cause: "It was revoked, or its invitation was used or has ended.",
    evidence: {},
    nextSteps: [{ action: "run-command", label: "List those that are let in", command: "signalbox clients list" }]
  })

const decodeId = Schema.decodeUnknownOption(ClientId)
const decodeName = Schema.decodeUnknownOption(ClientName)

export const nameOf = (command: string, name: string): Effect.Effect<string, UsageError> =>
  Option.match(decodeName(name), {
    onNone: () => Effect.fail(usage(command, "A name has 1 to 64 visible characters on one line.")),
    onSome: Effect.succeed
  })

export const list = Effect.fn("ClientsKept.list")(function* (flags: Flags & { readonly json: boolean }) {
  const { clients } = yield* opened(flags)
  const found = clients.list(yield* Clock.currentTimeMillis)
  const time = (at: number) => new Date(at).toISOString()
  const rows = [
    ...found.clients.map(({ expiresAt, id, kind, lastHereAt, name = "", scope, since }) => {
      const end = kind === "page" ? Math.min(expiresAt ?? Infinity, lastHereAt + Clients.expiresAfter) : expiresAt
      return { id, kind, scope, name, since, lastHereAt, end }
    }),
    ...found.invitations.map(({ expiresAt, id, name = "", scope, since }) => ({
      id,
      kind: "invitation",
      scope,
      name,
      since,
      lastHereAt: undefined,
      end: expiresAt
    }))
  ]
  if (rows.length === 0 && !flags.json) return Terminal.err("No client is let in.")
  const lines = flags.json
    ? rows.map(({ end, lastHereAt, name, since, ...row }) =>
        jsonText({
          ...row,
          ...(name !== "" && { name }),
          since: time(since),
          ...(lastHereAt !== undefined && { lastHereAt: time(lastHereAt) }),
          ...(end !== undefined && { expiresAt: time(end) })
        })
      )
    : table(
        [
          { heading: "ID", cell: ({ id }) => id },
          { heading: "KIND", cell: ({ kind }) => kind },
          { heading: "SCOPE", cell: ({ scope }) => scope },
          { heading: "LAST HERE", cell: ({ lastHereAt }) => (lastHereAt === undefined ? "-" : time(lastHereAt)) },
          { heading: "EXPIRES", cell: ({ end }) => (end === undefined ? "-" : time(end)) },
          { heading: "NAME", cell: ({ name }) => name }
        ],
        rows
      )
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
})

const changed = Effect.fnUntraced(function* (
  flags: Flags & { readonly id: string },
  to: { readonly name?: string; readonly scope?: ClientScope }
) {
  const { clients, file } = yield* opened(flags)
  const id = Option.getOrUndefined(decodeId(flags.id))
  if (id === undefined || !(yield* changing(file, () => clients.change(id, to)))) return yield* noClient(flags.id)
})

export const rename = Effect.fn("ClientsKept.rename")(function* (
  flags: Flags & { readonly id: string; readonly name: string }
) {
  yield* changed(flags, { name: yield* nameOf("clients rename", flags.name) })
  Terminal.err(`Client ${flags.id} is “${flags.name}” now.`)
})

export const changeScope = Effect.fn("ClientsKept.changeScope")(function* (
  flags: Flags & { readonly id: string; readonly scope: ClientScope }
) {
  yield* changed(flags, { scope: flags.scope })
  Terminal.err(`Client ${flags.id} has the scope ${flags.scope} now.`)
})

export const revoke = Effect.fn("ClientsKept.revoke")(function* (
  flags: Flags & { readonly all: boolean; readonly ids: ReadonlyArray<string> }
) {
  if (flags.all === flags.ids.length > 0) return yield* usage("clients revoke", "Name ids, or --all.")
  const { clients, file } = yield* opened(flags)
  if (flags.all) {
    const { clients: in_, invitations } = clients.list(yield* Clock.currentTimeMillis)
    // Also if no entry can be read: a damaged file lets nobody in, and is removed.
    yield* changing(file, () => Clients.revokeAll(file))
    const withdrawn = invitations.length === 0 ? "" : ` ${counted(invitations.length, "invitation")} withdrawn.`
    return Terminal.err(`${counted(in_.length, "client")} revoked.${withdrawn}`)
  }
  for (const given of flags.ids) {
    const id = Option.getOrUndefined(decodeId(given))
    if (id === undefined || !(yield* changing(file, () => clients.revoke(id)))) return yield* noClient(given)
    Terminal.err(`${given} is revoked.`)
  }
})

const counted = (number: number, what: string): string => (number === 1 ? `1 ${what} is` : `${number} ${what}s are`)
