/** The components that come with Signalbox. Each has a folder here, and a line in the list. */
import type { BuiltInComponent } from "../BuiltInComponent.ts"
import { bridge } from "./bridge/BridgeComponent.ts"
import { git } from "./git/GitComponent.ts"
import { packageSources } from "./package-sources/PackageSourcesComponent.ts"
import { pass } from "./pass/Pass.ts"
import { tee } from "./tee/Tee.ts"

/** In the order in which help names them. */
export const all: ReadonlyArray<BuiltInComponent> = [pass, tee, git, packageSources, bridge]

export const find = (name: string): BuiltInComponent | undefined => all.find((one) => one.name === name)
