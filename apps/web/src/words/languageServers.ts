/** What a language server does, as a clause behind its name. */
import type { LanguageServerState } from "@signalbox/contracts/LanguageFeatures"

export const phaseWords: { readonly [Phase in LanguageServerState["phase"]]: string } = {
  starting: "starts",
  loading: "reads the project",
  ready: "is ready",
  restarting: "has ended, and starts again",
  "given-up": "can’t be used",
  ended: "has ended, and starts again when it is needed"
}
