/** The step of an agent's check that looks at the components in front of it. */
import type { AgentOptions } from "@signalbox/contracts/Provider"
import * as Result from "effect/Result"
import * as PlannedComponents from "../chain/PlannedComponents.ts"
import type { Findings } from "../drivers/Driver.ts"

/** Adds the components to what a check has found. One that can't be started keeps new threads from starting. */
export const withComponents = ({ components = [] }: AgentOptions, findings: Findings): Findings => {
  if (components.length === 0 || findings.state === "unavailable") return findings
  const planned = PlannedComponents.plan(components, undefined, () => {})
  if (Result.isSuccess(planned)) {
    const detail = PlannedComponents.infos(components)
      .map(({ enabled, name }) => (enabled ? name : `${name} (off)`))
      .join(", ")
    return { ...findings, checks: [...findings.checks, { name: "components", state: "ok", detail }] }
  }
  return {
    ...findings,
    state: "attention",
    checks: [...findings.checks, { name: "components", state: "failed", detail: planned.failure }],
    problem: PlannedComponents.problemOf(planned.failure)
  }
}
