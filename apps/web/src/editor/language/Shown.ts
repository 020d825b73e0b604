/** The card over the text, and the list of places. */
import type { CodeLocation, HoverAnswer } from "@signalbox/contracts/LanguageFeatures"
import type { Finding } from "./findings.ts"

/** Says what is known of a place. `x`, `top`, `bottom`: the place of its line on the screen, in pixels. */
export interface Card {
  readonly x: number
  readonly top: number
  readonly bottom: number
  readonly findings: ReadonlyArray<Finding>
  readonly parts: Extract<HoverAnswer, { readonly type: "hover" }>["parts"]
}

/** Places that were found. `total`: how many there are, of which these are listed. */
export interface Places {
  readonly what: "definitions" | "references"
  readonly locations: ReadonlyArray<CodeLocation>
  readonly total: number
}
