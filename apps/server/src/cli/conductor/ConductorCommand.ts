/** `signalbox conductor` and `signalbox component` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazily, paragraphs } from "../Subcommand.ts"

/** Flags of both modes. */
const chain = {
  component: Flag.String("component").pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription(
      "A built-in component (signalbox component lists them), in quotes with its arguments; may be repeated"
    ),
    Flag.atLeast(0)
  ),
  proxy: Flag.String("proxy").pipe(
    Flag.withMetavar('"CMD ARGS"'),
    Flag.withDescription("A proxy, by its command line; may be repeated"),
    Flag.atLeast(0)
  ),
  config: Flag.String("config").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("The chain as JSON, in place of --component and --proxy; it may name the agent, too"),
    Flag.optional
  ),
  trace: Flag.String("trace").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Write each message between two components to this file, without secrets: see conductor view"),
    Flag.optional
  )
}

const order = "Of --component and --proxy, the first one is nearest to the client, and so on."
const streams =
  "Standard input and output carry ACP and nothing else; what components and Signalbox have to say goes to standard error. When standard input ends, all programs have ended within 5 seconds."
const codes =
  "Exit codes: 0 the client has left, 1 the chain failed, 2 usage, 129, 130 and 143 ended by SIGHUP, SIGINT and SIGTERM."

const agent = Command.make(
  "agent",
  {
    ...chain,
    bridge: Flag.Boolean("bridge").pipe(
      Flag.withDescription(
        "Add the component bridge where the agent needs it for MCP servers of components (default); --no-bridge adds none"
      ),
      Flag.withDefault(true)
    ),
    words: Argument.String("agent").pipe(
      Argument.withDescription("The agent's command, behind --; what is behind -- is passed on as it is"),
      Argument.variadic()
    )
  },
  (flags) => lazily(async () => (await import("./RunChain.ts")).runChain("agent", flags))
).pipe(
  Command.withShortDescription("Run proxies in front of an agent, as one agent"),
  Command.withDescription(
    paragraphs("Run proxies in front of an agent. To its client, the chain is an agent.", order, streams, codes)
  )
)

const proxy = Command.make(
  "proxy",
  { ...chain, words: Argument.String("nothing").pipe(Argument.withDescription("Nothing more"), Argument.variadic()) },
  (flags) => lazily(async () => (await import("./RunChain.ts")).runChain("proxy", flags))
).pipe(
  Command.withShortDescription("Run several proxies as one proxy"),
  Command.withDescription(paragraphs("Run several proxies as one proxy, for another conductor.", order, streams, codes))
)

const view = Command.make(
  "view",
  {
    file: Argument.String("file").pipe(Argument.withDescription("What --trace has written, also while the chain runs")),
    serve: Flag.Boolean("serve").pipe(
      Flag.withDescription("Show it as a page for the browsers of this machine, until Ctrl-C"),
      Flag.withDefault(false)
    )
  },
  (flags) => lazily(async () => (await import("./ViewTrace.ts")).viewTrace(flags))
).pipe(
  Command.withShortDescription("Print a trace, or show it as a page"),
  Command.withDescription(
    paragraphs(
      "Print a trace: when which component said what to which, how long answers took, and how they failed. Traces of the reference conductor are read, too.",
      "With --serve, a page shows the same. Its link is printed, and whoever has it can read the trace. The page ends with Ctrl-C.",
      "Exit codes: 0 printed, or ended by Ctrl-C, 1 the file can't be read or is no trace, 2 usage."
    )
  )
)

export const conductorCommand = Command.make("conductor").pipe(
  Command.withShortDescription("Run proxies in front of an agent"),
  Command.withDescription(
    "Run a chain of proxies, which may change what a client and its agent say to each other. Any ACP client can start it in an agent's place."
  ),
  Command.withSubcommands([agent, proxy, view])
)

export const componentCommand = Command.make(
  "component",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("The name of the component; without it they are listed"),
      Argument.optional
    ),
    args: Argument.String("args").pipe(
      Argument.withDescription("Its arguments; put -- before those that begin with a hyphen"),
      Argument.variadic()
    )
  },
  (flags) => lazily(async () => (await import("./RunComponent.ts")).runComponent(flags))
).pipe(
  Command.withShortDescription("Run a built-in component as a proxy, or list what there is"),
  Command.withDescription(
    paragraphs(
      "Run a built-in component as a proxy on standard input and output, for any conductor. Without a name, list the components.",
      codes
    )
  )
)
