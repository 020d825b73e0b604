/** Keeps what a server offers: declared when it began, and registered later by itself. */
import * as Predicate from "effect/Predicate"
import type { Document } from "../documents/Document.ts"
import * as Glob from "./Glob.ts"

/** The member of the server's capabilities that declares a method. */
const declaredBy: Readonly<Record<string, string>> = {
  "textDocument/hover": "hoverProvider",
  "textDocument/definition": "definitionProvider",
  "textDocument/declaration": "declarationProvider",
  "textDocument/typeDefinition": "typeDefinitionProvider",
  "textDocument/implementation": "implementationProvider",
  "textDocument/references": "referencesProvider",
  "textDocument/documentSymbol": "documentSymbolProvider",
  "textDocument/signatureHelp": "signatureHelpProvider",
  "textDocument/completion": "completionProvider",
  "textDocument/codeAction": "codeActionProvider",
  "textDocument/codeLens": "codeLensProvider",
  "textDocument/formatting": "documentFormattingProvider",
  "textDocument/rangeFormatting": "documentRangeFormattingProvider",
  "textDocument/onTypeFormatting": "documentOnTypeFormattingProvider",
  "textDocument/rename": "renameProvider",
  "textDocument/semanticTokens": "semanticTokensProvider",
  "textDocument/inlayHint": "inlayHintProvider",
  "textDocument/diagnostic": "diagnosticProvider",
  "workspace/symbol": "workspaceSymbolProvider",
  "workspace/executeCommand": "executeCommandProvider"
}

/** Methods that belong to another one, which declares them. */
const belongsTo: Readonly<Record<string, string>> = {
  "textDocument/prepareRename": "textDocument/rename",
  "textDocument/semanticTokens/full": "textDocument/semanticTokens",
  "textDocument/semanticTokens/full/delta": "textDocument/semanticTokens",
  "textDocument/semanticTokens/range": "textDocument/semanticTokens",
  "workspace/diagnostic": "textDocument/diagnostic",
  "completionItem/resolve": "textDocument/completion",
  "codeAction/resolve": "textDocument/codeAction",
  "codeLens/resolve": "textDocument/codeLens",
  "inlayHint/resolve": "textDocument/inlayHint",
  "workspaceSymbol/resolve": "workspace/symbol"
}

export interface Registration {
  readonly method: string
  /** An object. Empty if the server sent none. */
  readonly options: Readonly<Record<string, unknown>>
}

export interface Registrations {
  /** A member of the server's capabilities, unread. */
  readonly declared: (member: string) => unknown
  /** The options of what the server offers for a method; `true` if it has none. Undefined if it does not offer it. */
  readonly offer: (method: string, document?: Document) => unknown
  /** All registrations of a method. */
  readonly of: (method: string) => ReadonlyArray<Registration>
  /** Adds what `client/registerCapability` brings. Returns how many parts of it were malformed. */
  readonly register: (params: unknown) => number
  /** Takes back what `client/unregisterCapability` names. Returns how many of these ids are not known. */
  readonly unregister: (params: unknown) => number
}

/** Most registrations that are kept. A server that registers without end is not let grow. */
const mostKept = 2000

type Members = Readonly<Record<string, unknown>>

const listIn = (params: unknown, member: string): ReadonlyArray<unknown> => {
  const list = Predicate.isObject(params) ? params[member] : undefined
  return Array.isArray(list) ? list : []
}

const textIn = (members: Members, name: string): string | undefined => {
  const value = members[name]
  return typeof value === "string" ? value : undefined
}

/** Whether a filter of a document selector has the document. A filter without members has none. */
const hasFilter = (filter: unknown, { languageId, path }: Document): boolean => {
  if (typeof filter === "string") return filter === languageId
  if (!Predicate.isObject(filter)) return false
  const language = textIn(filter, "language")
  const scheme = textIn(filter, "scheme")
  const { pattern } = filter
  if (language === undefined && scheme === undefined && pattern === undefined) return false
  return (
    (language === undefined || language === languageId || language === "*") &&
    (scheme === undefined || scheme === "file" || scheme === "*") &&
    (pattern === undefined || Glob.matchesPattern(pattern, path))
  )
}

export const make = (capabilities: Members): Registrations => {
  const dynamic = new Map<string, Registration>()

  const declaredOffer = (method: string): unknown => {
    if (method === "textDocument/willSaveWaitUntil") {
      const sync = capabilities["textDocumentSync"]
      return Predicate.isObject(sync) && sync["willSaveWaitUntil"] === true ? true : undefined
    }
    const member = declaredBy[method]
    const value = member === undefined ? undefined : capabilities[member]
    if (value === true) return true
    return Predicate.isObject(value) ? value : undefined
  }

  const offer: Registrations["offer"] = (method, document) => {
    const owner = belongsTo[method] ?? method
    const own = declaredOffer(owner)
    if (own !== undefined) return own
    for (const registration of dynamic.values()) {
      if (registration.method !== owner) continue
      const selector = registration.options["documentSelector"]
      if (document === undefined || !Array.isArray(selector)) return registration.options
      if (selector.some((filter) => hasFilter(filter, document))) return registration.options
    }
    return undefined
  }

  return {
    declared: (member) => capabilities[member],
    offer,
    of: (method) => [...dynamic.values()].filter((registration) => registration.method === method),
    register: (params) => {
      let malformed = 0
      for (const each of listIn(params, "registrations")) {
        const members: Members = Predicate.isObject(each) ? each : {}
        const id = textIn(members, "id")
        const method = textIn(members, "method")
        if (id === undefined || method === undefined || (dynamic.size >= mostKept && !dynamic.has(id))) {
          malformed += 1
          continue
        }
        const { registerOptions } = members
        dynamic.set(id, { method, options: Predicate.isObject(registerOptions) ? { ...registerOptions } : {} })
      }
      return malformed
    },
    unregister: (params) => {
      // The protocol's own spelling has one letter too many. Some servers write it as it should be.
      const named = [...listIn(params, "unregisterations"), ...listIn(params, "unregistrations")]
      return named.filter((each) => !dynamic.delete((Predicate.isObject(each) && textIn(each, "id")) || "")).length
    }
  }
}
