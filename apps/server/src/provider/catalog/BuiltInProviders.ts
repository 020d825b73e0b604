/** The agents that Signalbox offers without settings. */
import type { Problem } from "@signalbox/contracts/Problem"
import {
  type AgentOptions,
  ProviderId,
  type ProviderOptions,
  type ProviderRef,
  type ProviderStatus
} from "@signalbox/contracts/Provider"
import { simulatedCursor, standInAgent } from "../../base/Installation.ts"

export interface OfferedProvider {
  readonly provider: ProviderRef
  /** The agent in a sentence or two. */
  readonly description: string
  readonly options: AgentOptions
  /** Whether it can be named but is not listed. */
  readonly hidden: boolean
  /** Built-in by default. */
  readonly source?: ProviderStatus["source"]
  /** The agent's entry in the public registry, if it was installed from there. */
  readonly registryId?: string | undefined
  /** The reason why it can't be used, if there is one. */
  readonly problem?: Problem
}

/** Changes an offered agent for one command. */
export type Amended = (one: OfferedProvider) => OfferedProvider

/** A stand-in agent that speaks plain ACP, run by our own Node. */
const acpStandIn = (name: "eliza" | "nes" | "scripted"): ProviderOptions => ({
  acp: { command: process.execPath, args: [standInAgent(name)] }
})

/**
 * The simulated Cursor's quirks. Present builds of Cursor write questions as text; the simulation shows the cards
 * instead. The server's own variable comes last and has priority.
 */
const quirks = (): string => ["-ask_missing", process.env["FAKE_CURSOR_QUIRKS"] ?? []].flat().join(",")

/**
 * The built-in agents, in the order of the list. `stateDirectory`: absolute; the simulated Cursor keeps its sessions in
 * it.
 */
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
    provider: {
      id: ProviderId.make("signalbox-nes"),
      kind: "acp",
      name: "Signalbox suggestions (reference)",
      simulated: true
    },
    description:
      "Suggests the next edit while you write in an editor, by rules and with no model behind it. The reference for such agents. Built in, offline.",
    options: acpStandIn("nes"),
    hidden: false
  },
  {
    provider: { id: ProviderId.make("scripted"), kind: "acp", name: "Scripted agent", simulated: true },
    description: "Plays the timeline that it is given. For tests.",
    options: acpStandIn("scripted"),
    hidden: true
  }
]
