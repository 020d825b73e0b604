/** What is known about an agent, in words. */
import type { ProviderCheck, ProviderStatus } from "@signalbox/contracts/Provider"
import type { LampStatus } from "../design/status.ts"
import { count } from "../words/figures.ts"

export const checkName: { readonly [Name in ProviderCheck["name"]]: string } = {
  found: "Found",
  version: "Version",
  login: "Sign in",
  components: "Chain"
}

export const checkLamp: { readonly [State in ProviderCheck["state"]]: LampStatus } = {
  ok: "completed",
  attention: "waiting",
  failed: "failed",
  unknown: "todo"
}

const notInstalled = ({ checks }: ProviderStatus): boolean =>
  checks.some(({ name, state }) => name === "found" && state === "failed")

export const stateWord = (status: ProviderStatus): { readonly lamp: LampStatus; readonly word: string } => {
  switch (status.state) {
    case "checking":
      return { lamp: "sent", word: "Looking" }
    case "ready":
      return { lamp: "completed", word: "Ready" }
    case "attention":
      return { lamp: "waiting", word: "One step left" }
    case "unavailable":
      return notInstalled(status) ? { lamp: "todo", word: "Not found" } : { lamp: "failed", word: "Can’t start" }
  }
}

/** From this many on, agents are counted instead of named. */
const many = 4

/** The words at the head of the page. */
export const lead = (statuses: ReadonlyArray<ProviderStatus>): string => {
  const real = statuses.filter(({ provider }) => !provider.simulated)
  const told = real.map((status) => {
    switch (status.state) {
      case "checking":
        return `We are looking for ${status.provider.name}.`
      case "ready":
        return `${status.provider.name} is ready.`
      case "attention":
        return `${status.provider.name} is one step away.`
      case "unavailable":
        return notInstalled(status)
          ? `${status.provider.name} was not found on this machine.`
          : `${status.provider.name} is here and can’t start.`
    }
  })
  const simulated = statuses.filter(({ provider, state }) => provider.simulated && state === "ready")
  const offline =
    simulated.length === 0
      ? []
      : [
          simulated.length === 1
            ? `${simulated[0]?.provider.name} works now, offline and without an account.`
            : "The simulated agents work now, offline and without an account."
        ]
  // Counted is what is shown below, simulated agents too.
  const ready = statuses.filter(({ state }) => state === "ready").length
  const counted = statuses.some(({ state }) => state === "checking")
    ? `We are looking for ${count(statuses.length, "agent")}.`
    : `${ready} of ${count(statuses.length, "agent")} ${ready === 1 ? "is" : "are"} ready.`
  const found = real.length < many ? told : [counted]
  return ["Signalbox doesn’t bring an agent, it runs the ones you have.", ...found, ...offline].join(" ")
}

/** Whether a thread can be started on it. */
export const canStart = ({ state }: ProviderStatus): boolean => state === "ready" || state === "attention"

/** Values are set in mono, sentences are not. */
export const isValue = (detail: string): boolean => !/\s/.test(detail) || /^[~/]/.test(detail)
