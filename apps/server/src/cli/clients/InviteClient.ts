/** `signalbox clients invite` and `add`: print what lets a new client in. It is shown once. */
import { invitationLasts } from "@signalbox/contracts/ClientList"
import type { ClientScope } from "@signalbox/contracts/ClientScope"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as RunningServer from "@signalbox/attach/RunningServer"
import { usage } from "../terminal/Failure.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { changing, type Flags, nameOf, opened } from "./ClientsKept.ts"

interface Granted extends Flags {
  readonly scope: ClientScope
  readonly name: Option.Option<string>
  readonly lasts: Option.Option<string>
}

const minute = 60 * 1000
const units: Readonly<Record<string, number>> = { m: minute, h: 60 * minute, d: 24 * 60 * minute }

/** Milliseconds of a time such as 30m, 12h or 7d. */
const millisOf = (command: string, lasts: Option.Option<string>, most: number) =>
  Effect.gen(function* () {
    if (Option.isNone(lasts)) return undefined
    const [, amount, unit = ""] = /^([1-9]\d{0,4})([mhd])$/.exec(lasts.value) ?? []
    const millis = Number(amount) * (units[unit] ?? Number.NaN)
    if (millis <= most) return millis
    return yield* usage(
      command,
      `--for takes minutes, hours or days, such as 30m, 12h or 7d; at most ${most / (24 * 60 * minute)}d.`
    )
  })

const named = (command: string, name: Option.Option<string>) =>
  Option.isNone(name) ? Effect.undefined : nameOf(command, name.value)

/** How long a token of a program may count at most, if its end is given. */
const mostDays = 3650

export const invite = Effect.fn("InviteClient.invite")(function* (flags: Granted) {
  const command = "clients invite"
  const lasts = yield* millisOf(command, flags.lasts, invitationLasts.most)
  const name = yield* named(command, flags.name)
  const { clients, directory, file } = yield* opened(flags)
  const wanted = { scope: flags.scope, ...(name !== undefined && { name }), ...(lasts !== undefined && { lasts }) }
  const now = yield* Clock.currentTimeMillis
  const { invitation, token } = yield* changing(file, () => {
    PrivateFolder.make(directory)
    return clients.invite(wanted, now)
  })
  const server = RunningServer.announcedIn(directory)
  const until = new Date(invitation.expiresAt).toISOString()
  Terminal.err(
    `Invitation ${invitation.id} lets one browser in, with the scope ${invitation.scope}. It can be used once, until ${until}.`
  )
  if (server === undefined)
    Terminal.err(
      "No server runs on this state folder. Open this behind the address that the server prints when it starts:"
    )
  yield* Stdout.write(`${server === undefined ? "" : server.url}/#token=${token}\n`)
})

export const add = Effect.fn("InviteClient.add")(function* (flags: Granted & { readonly program: boolean }) {
  const command = "clients add"
  if (!flags.program)
    return yield* usage(command, "Name --program. Browsers come by an invitation: signalbox clients invite.")
  const lasts = yield* millisOf(command, flags.lasts, mostDays * 24 * 60 * minute)
  const name = yield* named(command, flags.name)
  const { clients, directory, file } = yield* opened(flags)
  const now = yield* Clock.currentTimeMillis
  const { client, secret } = yield* changing(file, () => {
    PrivateFolder.make(directory)
    return clients.add({ scope: flags.scope, name }, now, lasts === undefined ? undefined : now + lasts)
  })
  Terminal.err(`Program ${client.id} is let in, with the scope ${client.scope}. This token is shown once:`)
  yield* Stdout.write(`${secret}\n`)
})
