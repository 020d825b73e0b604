/** Turns suggestions off or on, for all pages of the server. */
import type { Problem } from "@signalbox/contracts/Problem"
import { useState } from "react"
import { announce } from "../../browser/announcer.ts"
import { problemOf } from "../../connection/commands.ts"
import { turnSuggestions } from "../../connection/suggestions.ts"
import { useScope } from "../../design/scope.ts"

export const TurnButton = (props: {
  /** Whether they are on now. */
  readonly isOn: boolean
  readonly onFailed: (problem: Problem) => void
}) => {
  const { isOn, onFailed } = props
  const [asked, ask] = useState<boolean>()
  const mayNot = useScope("operate")
  const turn = () => {
    if (asked !== undefined) return
    ask(!isOn)
    turnSuggestions(!isOn).then(
      () => {
        ask(undefined)
        announce(`Suggestions are turned ${isOn ? "off" : "on"}.`)
      },
      (error: unknown) => {
        ask(undefined)
        onFailed(problemOf(error))
      }
    )
  }
  return (
    <button
      type="button"
      className="link"
      disabled={mayNot !== undefined}
      aria-busy={asked !== undefined}
      title={mayNot ?? `Turn suggestions ${isOn ? "off" : "on"}, in all pages`}
      onClick={turn}
    >
      Turn {isOn ? "off" : "on"}
    </button>
  )
}
