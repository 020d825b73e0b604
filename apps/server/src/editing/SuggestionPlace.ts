/** Who is asked for suggestions, and about which folders. There is one session for each such place. */
import type { ProviderOptions, ProviderRef } from "@signalbox/contracts/Provider"
import type * as Arr from "effect/Array"

export interface SuggestionPlace {
  readonly provider: ProviderRef
  readonly providerOptions: ProviderOptions
  /** The folders of the workspace, absolute. The agent's process starts in the first. */
  readonly roots: Arr.NonEmptyReadonlyArray<string>
}
