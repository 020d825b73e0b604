/** Who is asked for suggestions, about which folders, and for which kinds. There is one session for each such place. */
import type { Kind } from "@signalbox/acp/NesSchema"
import type { ProviderOptions, ProviderRef } from "@signalbox/contracts/Provider"
import type * as Arr from "effect/Array"

export interface SuggestionPlace {
  readonly provider: ProviderRef
  readonly providerOptions: ProviderOptions
  /** The folders of the workspace, absolute. The agent's process starts in the first. */
  readonly roots: Arr.NonEmptyReadonlyArray<string>
  /** The kinds beside edits that the editor can show. Default: all. */
  readonly kinds?: ReadonlyArray<Exclude<Kind, "edit">>
}
