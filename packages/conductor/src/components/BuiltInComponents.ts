/** The components that come with Signalbox. Each has a folder here, and a line in the list. */
import type { BuiltInComponent } from "../BuiltInComponent.ts"
import { bridge } from "./bridge/BridgeComponent.ts"
import { build } from "./build/BuildComponent.ts"
import { collaboration } from "./collaboration/CollaborationComponent.ts"
import { ecosystemKnowledge } from "./ecosystem-knowledge/EcosystemKnowledgeComponent.ts"
import { git } from "./git/GitComponent.ts"
import { ideAdapter, ideOperations } from "./ide-operations/IdeOperationsComponent.ts"
import { packageSources } from "./package-sources/PackageSourcesComponent.ts"
import { pass } from "./pass/Pass.ts"
import { tee } from "./tee/Tee.ts"
import { walkthrough } from "./walkthrough/WalkthroughComponent.ts"

/** In the order in which help names them. */
export const all: ReadonlyArray<BuiltInComponent> = [
  pass,
  tee,
  git,
  build,
  walkthrough,
  packageSources,
  ecosystemKnowledge,
  collaboration,
  ideOperations,
  ideAdapter,
  bridge
]

export const find = (name: string): BuiltInComponent | undefined => all.find((one) => one.name === name)

/** What it does and which arguments it takes, in one line of help. */
export const described = ({ summary, usage }: BuiltInComponent): string =>
  usage === undefined ? summary : `${summary}: ${usage}`
