/** The agents that Signalbox offers without being told of any. */
import type { Problem } from "@signalbox/contracts/Problem"
import { type ProviderOptions, ProviderId, type ProviderRef, type ProviderStatus } from "@signalbox/contracts/Provider"
import { simulatedCursor, standInAgent } from "../../base/Installation.ts"

export interface OfferedProvider {
  readonly provider: ProviderRef
  /** What it is, in a sentence or two. */
  readonly description: string
  readonly options: ProviderOptions
  /** Can be named, but is not shown. */
  readonly hidden: boolean
  /** Built in unless it says otherwise. */
  readonly source?: ProviderStatus["source"]
  /** Its entry in the public registry, where it was installed from there. */
  readonly registryId?: string | undefined
  /** Why it can't be used as it stands. */
  readonly problem?: Problem
}

/** An offered agent as somebody wants it for once. */
export type Amended = (one: OfferedProvider) => OfferedProvider

/** A stand-in agent that speaks plain ACP, run by the Node that runs us. */
const acpStandIn = (name: "eliza" | "scripted"): ProviderOptions => ({
  acp: { command: process.execPath, args: [standInAgent(name)] }
})

/**
 * Current builds of Cursor write their questions as text; the simulation shows what the cards look like. What the server was
 * started with comes behind that and prevails.
 */
const quirks = (): string => ["-ask_missing", process.env["FAKE_CURSOR_QUIRKS"] ?? []].flat().join(",")

/** In the order in which they are shown. `stateDirectory`: absolute; the simulated Cursor keeps its sessions below it. */
export const builtInProviders = (stateDirectory: string): ReadonlyArray<OfferedProvider> => [
  {
    provider: { id: ProviderId.make("cursor"), kind: "cursor", name: "Cursor", simulated: false },
    description: "Cursor's own agent, run on this machine through its command line program.",
    options: {},
    hidden: false
  },
  {
    provider: {
      id: ProviderId.make("cursor-simulated"),
      kind: "cursor",
      name: "Cursor (simulated)",
      simulated: true
    },
    description:
      "Behaves like Cursor on the wire, with edits, approvals, questions and plans in the folder you choose, and no model behind it. Built in, offline.",
    options: {
      cursor: {
        binaryPath: simulatedCursor,
        env: {
          FAKE_CURSOR_STATE: `${stateDirectory}/cursor-simulated`,
          FAKE_CURSOR_QUIRKS: quirks(),
          FAKE_CURSOR_NODE: process.execPath
        }
      }
    },
    hidden: false
  },
  {
    provider: { id: ProviderId.make("eliza"), kind: "acp", name: "Eliza", simulated: true },
    description:
      "The 1966 conversation program, speaking ACP. Useful to see that the page, the server and the protocol work. Built in, offline.",
    options: acpStandIn("eliza"),
    hidden: false
  },
  {
    provider: { id: ProviderId.make("scripted"), kind: "acp", name: "Scripted agent", simulated: true },
    description: "Plays the timeline that it is given. For tests.",
    options: acpStandIn("scripted"),
    hidden: true
  }
]
