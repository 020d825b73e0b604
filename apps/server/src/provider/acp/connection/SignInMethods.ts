/** The sign-in methods that an agent offers, for people (ACP v1, authentication). */
import type { AuthMethod } from "@signalbox/acp/AcpSchema"
import type { ProviderId } from "@signalbox/contracts/Provider"
import { type SignInMethod, type SignInOffer, SignInVariable } from "@signalbox/contracts/SignInMethod"
import * as Option from "effect/Option"
import * as CommandLine from "effect/process/CommandLine"
import * as Schema from "effect/Schema"
import type { Launch } from "../../agent/Launch.ts"
import * as TerminalMethod from "./TerminalMethod.ts"

export const offerOf = (
  providerId: ProviderId,
  launch: Launch,
  methods: ReadonlyArray<AuthMethod> = []
): SignInOffer => ({ providerId, methods: methods.map((method) => methodOf(method, launch)) })

const methodOf = (method: AuthMethod, launch: Launch): SignInMethod => {
  const { description, id, name } = method
  const about = { id, name, ...(typeof description === "string" && { description }) }
  const terminal = TerminalMethod.of(method, launch)
  if (method.type !== "terminal" && terminal === undefined) {
    const type: string = method.type ?? "agent"
    if (type === "env_var") return { ...about, type, ...hintOf(method) }
    return { ...about, type: type === "agent" ? type : "unknown" }
  }
  if (terminal === undefined || launch.remote !== undefined) return { ...about, type: "terminal" }
  const { args, command } = terminal.launch
  // Shows only variables that the agent named: our own settings may hold keys.
  const variables = Object.entries(terminal.variables).map(([variable, value]) => `${variable}=${value}`)
  return {
    ...about,
    type: terminal.own ? "terminal" : "unknown",
    command: CommandLine.display([...(variables.length > 0 ? ["env", ...variables] : []), command, ...args])
  }
}

const decodeVariable = Schema.decodeUnknownOption(SignInVariable)

/** Reads the members of an earlier protocol version, which some agents still send. Unreadable ones are left out. */
const hintOf = ({ link, vars }: { readonly [key: string]: unknown }): Pick<SignInMethod, "vars" | "link"> => ({
  ...(Array.isArray(vars) && { vars: vars.flatMap((one: unknown) => Option.toArray(decodeVariable(one))) }),
  ...(typeof link === "string" && { link })
})
