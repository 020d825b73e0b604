/** A chain of proxies: in the settings of an agent, or in a file for `signalbox conductor --config`. */
import * as Schema from "effect/Schema"

/** Members of every program. */
const program = {
  command: Schema.NonEmptyString.annotate({ description: "The program. It is found as a shell finds it." }),
  args: Schema.optionalKey(Schema.Array(Schema.String)).annotate({ description: "Its arguments, as they are." }),
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)).annotate({
    description: "Variables besides those that it inherits."
  }),
  name: Schema.optionalKey(Schema.NonEmptyString).annotate({
    description: "What it is called in errors. Default: its command line."
  })
}

const disabled = Schema.optionalKey(Schema.Boolean).annotate({ description: "Whether it is left out. Default: false." })

/** A program that is a proxy. */
export const ProxyProgram = Schema.Struct({
  ...program,
  proxyDialect: Schema.optionalKey(Schema.Literals(["proxy", "_proxy", "meta"])).annotate({
    description: "The spelling of the proxy protocol that it speaks. Default: it is found out."
  }),
  disabled
})
export type ProxyProgram = typeof ProxyProgram.Type

/** A component that comes with Signalbox. */
export const BuiltInProxy = Schema.Struct({
  component: Schema.NonEmptyString.annotate({ description: "Its name, as `signalbox component` lists it." }),
  args: Schema.optionalKey(Schema.Array(Schema.String)).annotate({ description: "Its arguments." }),
  name: Schema.optionalKey(Schema.NonEmptyString).annotate({
    description: "What it is called in errors. Two of one kind need different names."
  }),
  disabled
})
export type BuiltInProxy = typeof BuiltInProxy.Type

/** A proxy of a chain. */
export const ChainComponent = Schema.Union([ProxyProgram, BuiltInProxy])
export type ChainComponent = typeof ChainComponent.Type

export const ChainAgent = Schema.Struct(program)

export const ChainConfig = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String).annotate({ description: "Where an editor finds this schema." }),
  components: Schema.optionalKey(Schema.Array(ChainComponent)).annotate({
    description: "The proxies, nearest to the client first."
  }),
  bridge: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "Whether the conductor adds the bridge where the agent needs it for MCP servers of components. Default: true."
  }),
  agent: Schema.optionalKey(ChainAgent).annotate({
    description: "The agent. It may be named on the command line instead, and a chain in proxy mode has none."
  })
}).annotate({ title: "A chain of signalbox conductor" })
export type ChainConfig = typeof ChainConfig.Type
