/** What researchers have found for sessions in a folder, from the histories of an agent's components. */
import * as ResearchHistory from "@signalbox/conductor/components/package-sources/research/ResearchHistory"
import { wordsOf } from "@signalbox/conductor/components/package-sources/research/Findings"
import * as Settings from "@signalbox/conductor/components/package-sources/Settings"
import type { ChainComponent } from "@signalbox/contracts/ChainConfig"
import { type KeptResearch, type KeptResearchList, most } from "@signalbox/contracts/KeptResearch"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { join } from "node:path"

/** The folders of the histories. An entry whose arguments are wrong has none: its component can't be started either. */
const foldersOf = (components: ReadonlyArray<ChainComponent>): ReadonlySet<string> =>
  new Set(
    components.flatMap((entry) => {
      if (!("component" in entry) || entry.component !== "package-sources") return []
      const settings = Settings.of(entry.args ?? [])
      return Result.isSuccess(settings) ? [join(settings.success.cache, "history")] : []
    })
  )

/** @param cwd the folder of the sessions that asked, as they named it */
export const read = Effect.fn("ResearchList.read")(function* (
  components: ReadonlyArray<ChainComponent>,
  cwd: string
): Effect.fn.Return<KeptResearchList> {
  const unread: Array<string> = []
  const found = yield* Effect.forEach(foldersOf(components), (folder) =>
    ResearchHistory.make(folder, (line) => void unread.push(line)).list(cwd, most.listed)
  )
  const latest = found.flat().sort((one, other) => other.at - one.at)
  return { research: latest.slice(0, most.listed).map(shown), unread: unread.slice(0, most.listed) }
})

const shown = (research: ResearchHistory.Research): KeptResearch => {
  const { at, ecosystem, id, package: name, prompt, timedOut, version } = research
  const findings = research.findings.map(wordsOf).join("\n\n")
  return {
    id,
    at,
    ecosystem,
    package: name,
    version,
    prompt: prompt.length > most.prompt ? `${prompt.slice(0, most.prompt)}…` : prompt,
    findings: findings.slice(0, most.findings),
    left: Math.max(0, findings.length - most.findings),
    timedOut
  }
}
