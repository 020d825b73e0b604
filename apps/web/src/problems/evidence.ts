import type { Evidence } from "@signalbox/contracts/Problem"

/** One line of evidence: what the agent printed, or what we saw of it. */
export interface EvidenceLine {
  readonly text: string
  readonly voice: "agent" | "ours"
}

/** What stands in the well of a problem, in order. */
export const printed = ({ exitCode, rpcData, signal, stderrTail }: Evidence): ReadonlyArray<EvidenceLine> => [
  ...(stderrTail ?? []).map((text): EvidenceLine => ({ text, voice: "agent" })),
  ...(rpcData === undefined ? [] : [{ text: `data: ${rpcData}`, voice: "ours" } as const]),
  ...(exitCode === undefined && signal === undefined ? [] : [{ text: ended(exitCode, signal), voice: "ours" } as const])
]

const ended = (exitCode: number | undefined, signal: string | undefined): string =>
  signal === undefined ? `exit: code ${exitCode ?? ""}` : `exit: signal ${signal}`

export const hasPrinted = (evidence: Evidence): boolean => printed(evidence).length > 0
