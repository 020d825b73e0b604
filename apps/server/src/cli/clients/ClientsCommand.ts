/** `signalbox clients` on the command line. */
import { clientScopes } from "@signalbox/contracts/ClientScope"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, paragraphs, stateDir } from "../Subcommand.ts"

const scopeWords =
  "view reads threads; approve also answers requests and stops turns; operate also prompts agents and creates threads; admin may do everything"

const scope = Flag.Literals("scope", clientScopes).pipe(
  Flag.withDescription(`What it may do (default: view): ${scopeWords}`),
  Flag.withDefault("view")
)

const name = Flag.String("name").pipe(
  Flag.withMetavar("NAME"),
  Flag.withDescription("Its name, at most 64 characters"),
  Flag.optional
)

const lasts = (description: string) =>
  Flag.String("for").pipe(Flag.withMetavar("TIME"), Flag.withDescription(description), Flag.optional)

const id = Argument.String("id").pipe(Argument.withDescription("The id that signalbox clients list shows"))

const list = Command.make("list", { stateDir, json: json("one client or invitation a line") }, (flags) =>
  lazily(async () => (await import("./ClientsKept.ts")).list(flags))
).pipe(Command.withDescription("List the clients that are let in, and invitations that nobody has used yet"))

const invite = Command.make(
  "invite",
  {
    stateDir,
    scope,
    name,
    lasts: lasts("How long the link can be used, such as 30m, 12h or 7d (default: 1d, at most 30d)")
  },
  (flags) => lazily(async () => (await import("./InviteClient.ts")).invite(flags))
).pipe(
  Command.withShortDescription("Print a link that lets one browser in"),
  Command.withDescription(
    paragraphs(
      "Print a link that lets one browser in, with the scope and name that you give. The link can be used once.",
      "Whoever has the link can use it. It reaches this machine only, as the server listens on no other."
    )
  )
)

const add = Command.make(
  "add",
  {
    stateDir,
    program: Flag.Boolean("program").pipe(
      Flag.withDescription("Add a program. Browsers come by an invitation"),
      Flag.withDefault(false)
    ),
    scope,
    name,
    lasts: lasts("How long its token counts, such as 12h or 90d (default: until it is revoked)")
  },
  (flags) => lazily(async () => (await import("./InviteClient.ts")).add(flags))
).pipe(
  Command.withShortDescription("Add a program, and print its token"),
  Command.withDescription(
    paragraphs(
      "Add a program, and print its token. The token is shown once. Only its digest is stored.",
      "The program sends it with each request: Authorization: Bearer TOKEN"
    )
  )
)

const rename = Command.make(
  "rename",
  { stateDir, id, name: Argument.String("name").pipe(Argument.withDescription("Its new name")) },
  (flags) => lazily(async () => (await import("./ClientsKept.ts")).rename(flags))
).pipe(Command.withDescription("Give a client another name"))

const changeScope = Command.make(
  "scope",
  { stateDir, id, scope: Argument.Literals("scope", clientScopes).pipe(Argument.withDescription(scopeWords)) },
  (flags) => lazily(async () => (await import("./ClientsKept.ts")).changeScope(flags))
).pipe(
  Command.withShortDescription("Change what a client may do"),
  Command.withDescription("Change what a client may do. It counts at once: the client is cut off and connects again.")
)

const revoke = Command.make(
  "revoke",
  {
    stateDir,
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("All clients and invitations, also if their file is damaged"),
      Flag.withDefault(false)
    ),
    ids: Argument.String("id").pipe(
      Argument.withDescription("Ids that signalbox clients list shows"),
      Argument.variadic()
    )
  },
  (flags) => lazily(async () => (await import("./ClientsKept.ts")).revoke(flags))
).pipe(
  Command.withShortDescription("Shut clients out, also while a server runs"),
  Command.withDescription(
    "Shut clients out, or withdraw invitations, also while a server runs: those that are connected are cut off within seconds."
  )
)

export const clientsCommand = Command.make("clients").pipe(
  Command.withShortDescription("List, invite and revoke the browsers and programs that are let in"),
  Command.withDescription(
    paragraphs(
      "List, invite and revoke the browsers and programs that are let in. Each has a scope: view, approve, operate or admin.",
      "A browser that came by the printed link has the scope admin. A browser stays in over restarts, until it was away for 30 days.",
      "No server needs to run. Programs of this account can also use the server's own token, which is in the state folder."
    )
  ),
  Command.withSubcommands([list, invite, add, rename, changeScope, revoke])
)
