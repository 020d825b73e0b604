/** A language server for one root, to be asked. It stays usable when its program crashes or was ended meanwhile. */
import * as Effect from "effect/Effect"
import * as CodeAction from "../features/CodeAction.ts"
import * as Completion from "../features/Completion.ts"
import * as Formatting from "../features/Formatting.ts"
import * as Hover from "../features/Hover.ts"
import * as InlayHint from "../features/InlayHint.ts"
import * as Navigation from "../features/Navigation.ts"
import * as Rename from "../features/Rename.ts"
import * as Request from "../features/Request.ts"
import * as SemanticTokens from "../features/SemanticTokens.ts"
import type { Asking, Session } from "../features/Session.ts"
import * as Signature from "../features/Signature.ts"
import * as Symbols from "../features/Symbols.ts"
import type { Document } from "../documents/Document.ts"
import { LanguageServerError } from "../LanguageServerError.ts"

/** Questions fail with `Unsupported` if the server does not offer them. Positions are counted in UTF-16, from zero. */
export interface LanguageServer
  extends
    CodeAction.CodeActions,
    Completion.Completing,
    Formatting.Formatting,
    Hover.Hovering,
    InlayHint.InlayHints,
    Navigation.Navigation,
    Rename.Renaming,
    Request.Requests,
    SemanticTokens.SemanticTokens,
    Signature.SignatureHelping,
    Symbols.Symbols {
  /** The id of its definition. */
  readonly id: string
  readonly name: string
  readonly root: string
  /** Whether it offers a method of the protocol, such as `textDocument/hover`, for a file. */
  readonly offers: (method: string, path?: string) => Effect.Effect<boolean, LanguageServerError>
  /**
   * This server, whose answers suppose that a file has another text. Other questions wait meanwhile. Right after each, the server has the
   * file's own text again.
   */
  readonly supposing: (path: string, text: string) => LanguageServer
}

export const make = (
  identity: Pick<LanguageServer, "id" | "name" | "root">,
  asking: Asking,
  offers: LanguageServer["offers"]
): LanguageServer => ({
  ...identity,
  offers,
  supposing: (path, text) =>
    make(
      identity,
      (question, options) =>
        asking(
          (session) => {
            let supposed: Document | undefined
            const send: Session["send"] = (asked) =>
              Effect.gen(function* () {
                supposed = yield* session.suppose(path, text)
                return asked === path ? supposed : yield* session.send(asked)
              })
            const answered = Effect.filterOrFail(
              question({ ...session, send }),
              () => supposed === undefined || session.has(supposed),
              () =>
                new LanguageServerError({
                  server: identity.id,
                  reason: "StaleVersion",
                  message: `${path} was changed while ${identity.name} was asked about it. Ask again.`
                })
            )
            return Effect.ensuring(answered, Effect.ignore(session.send(path)))
          },
          { ...options, alone: true }
        ),
      offers
    ),
  ...CodeAction.make(asking),
  ...Completion.make(asking),
  ...Formatting.make(asking),
  ...Hover.make(asking),
  ...InlayHint.make(asking),
  ...Navigation.make(asking),
  ...Rename.make(asking),
  ...Request.make(asking),
  ...SemanticTokens.make(asking),
  ...Signature.make(asking),
  ...Symbols.make(asking)
})
