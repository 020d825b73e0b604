/** Prints help that fits the terminal. A usage error gets one line instead of the whole help. */
import * as CliOutput from "effect/cli/CliOutput"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import { fitted } from "./LineBreaks.ts"
import * as Terminal from "./Terminal.ts"

export const presenter: CliOutput.Presenter = {
  present: (event) => {
    switch (event._tag) {
      case "Version":
        return CliOutput.defaultPresenter.present(event)
      case "Help":
        return Effect.map(TerminalCapabilities.TerminalCapabilities, ({ canColor }) => {
          const formatter = CliOutput.defaultFormatter({ colors: canColor, globalFlags: "summary" })
          Terminal.help(fitted(formatter.formatHelpDoc(event.helpDoc), Terminal.width()))
        })
      case "InvalidInvocation":
        return Effect.sync(() => {
          const path = event.commandPath.join(" ")
          for (const error of event.errors) Terminal.err({ style: "error", text: `${path}: ${error.message}` })
          Terminal.err(`Try '${path} --help'.`)
        })
    }
  }
}
