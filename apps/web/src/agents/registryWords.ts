/** The text about registry agents. Pure. */
import type { InstallFrame, InstallPlan, RegistryAgent, RegistryListing } from "@signalbox/contracts/Registry"
import { fullTime } from "../words/time.ts"
import { byteSize } from "../words/figures.ts"

const quoted = (part: string): string =>
  /^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", String.raw`'\''`)}'`

/** The exact command line, as people type it. */
export const commandOf = ({ args, command, env }: InstallPlan): string =>
  [...Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`), ...[command, ...args].map(quoted)].join(
    " "
  )

/** Whether a download can't be verified. */
export const isUnchecked = (plan: InstallPlan): boolean => plan.way === "binary" && plan.sha256 === undefined

/** The source of the list. */
export const sourceWords = ({ at, source }: RegistryListing): string =>
  source === "refreshed" && at !== undefined ? `As of ${fullTime(at)}.` : "As it came with Signalbox."

/** The button for an agent. Undefined if it can't be installed here. */
export const offerOf = ({ installed, plan }: RegistryAgent): "install" | "update" | "again" | undefined => {
  if (plan === undefined) return undefined
  if (installed.length === 0) return "install"
  return installed.every(({ version }) => version === plan.version) ? "again" : "update"
}

export const offerWord = { install: "Install…", update: "Update…", again: "Install again…" } as const

/** The progress of an installation. */
export const progressWords = (frame: InstallFrame | undefined): string => {
  switch (frame?.type) {
    case undefined:
      return "Beginning"
    case "downloading":
      return `Downloading, ${byteSize(frame.received)}${frame.total === undefined ? "" : ` of ${byteSize(frame.total)}`}`
    case "downloaded":
      return frame.verified ? "Downloaded, and it is what the registry says" : "Downloaded; nothing to check it against"
    case "unpacking":
      return "Unpacking"
    case "installed":
      return `Installed as ${frame.name}, ${frame.version}`
  }
}

export const isMeant = ({ description = "", id, name }: RegistryAgent, query: string): boolean => {
  const known = `${id} ${name} ${description}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.includes(word))
}
