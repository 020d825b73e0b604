/** What the person has set. An entry of another kind than it should be counts as the default, and is named. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as vscode from "vscode"

export interface Settings {
  readonly command: ReadonlyArray<string>
  readonly startServer: boolean
  readonly stateFolder: string
  readonly restoreOnRestart: "never" | "ask" | "always"
  readonly notifyRequests: boolean
  readonly suggestions: boolean
}

export interface ReadSettings {
  readonly settings: Settings
  /** Names of entries that are not understood, e.g. `signalbox.command`. */
  readonly wrong: ReadonlyArray<string>
}

export const read = (configuration = vscode.workspace.getConfiguration("signalbox")): ReadSettings => {
  const wrong: Array<string> = []
  const entry = <A>(name: string, schema: Schema.Decoder<A>, instead: A): A =>
    Option.getOrElse(Schema.decodeUnknownOption(schema)(configuration.get(name)), () => {
      wrong.push(`signalbox.${name}`)
      return instead
    })
  const settings: Settings = {
    command: entry("command", Schema.Array(Schema.String), ["signalbox"]),
    startServer: entry("startServer", Schema.Boolean, true),
    stateFolder: entry("stateFolder", Schema.String, ""),
    restoreOnRestart: entry("restoreOnRestart", Schema.Literals(["never", "ask", "always"]), "always"),
    notifyRequests: entry("notifyRequests", Schema.Boolean, true),
    suggestions: entry("suggestions", Schema.Boolean, true)
  }
  return { settings, wrong }
}
