/** A client's requests for suggestions in one session, and the end of each suggestion that comes. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { InvalidRequest, MalformedResult, type RequestFailure } from "../protocol/AcpError.ts"
import type { CallOptions } from "../rpc/Caller.ts"
import { Lines } from "../text/Lines.ts"
import type { PositionEncoding } from "../text/Position.ts"
import * as Admission from "./Admission.ts"
import type { ClientDocument, Told } from "./ClientDocuments.ts"
import * as OpenSuggestions from "./OpenSuggestions.ts"
import * as Places from "./Places.ts"
import * as SameUri from "./SameUri.ts"
import type { Capabilities, Context, Kind, RejectReason, SuggestRequest, Suggestion } from "./Schema.ts"
import * as Wanted from "./Wanted.ts"

const method = "nes/suggest"

/** Most texts that are read for one response. */
const mostTexts = 20

export interface ClientSuggestions {
  readonly suggest: (request: SuggestRequest) => Effect.Effect<ReadonlyArray<Suggestion>, RequestFailure>
  readonly accept: (id: string) => Told
  readonly reject: (id: string, reason: RejectReason) => Told
  readonly refused: ReadonlyMap<Admission.Reason, number>
  /** Cancels requests about a document that has changed. */
  readonly outdate: (uri: string) => void
  /** Ends the suggestions about a document as `ignored`. */
  readonly leave: (uri: string) => Told
  /** Ends all of them as `ignored`. */
  readonly leaveAll: Told
}

interface Setup {
  readonly wants: NonNullable<Capabilities["context"]>
  readonly encoding: PositionEncoding
  readonly isOffered: (kind: Kind) => boolean
  readonly documents: () => ReadonlyMap<string, ClientDocument>
  readonly ask: (params: object, options: CallOptions) => Effect.Effect<unknown, RequestFailure>
  readonly tell: (method: string, params: object) => Told
  readonly textOf: ((uri: string) => Effect.Effect<string | undefined>) | undefined
  readonly onRefused: ((refusal: Admission.Refusal) => void) | undefined
  readonly limits: Admission.Limits
  readonly scope: Scope.Scope
}

type Documents = ReadonlyMap<string, ClientDocument>

export const make = (setup: Setup): ClientSuggestions => {
  const { ask, documents, encoding, isOffered, limits, scope, tell, textOf, wants } = setup
  const open = OpenSuggestions.make()
  const running = new Map<Deferred.Deferred<void>, string>()
  const refused = new Map<Admission.Reason, number>()

  const reject = (id: string, reason: RejectReason | undefined) => tell("nes/reject", { id, ...(reason && { reason }) })
  const ignore = (ids: ReadonlyArray<string>): Told =>
    Effect.forEach(ids, (id) => reject(id, "ignored"), { discard: true })

  const refuse = (refusal: Admission.Refusal): Told => {
    const { id, reason } = refusal
    refused.set(reason, (refused.get(reason) ?? 0) + 1)
    setup.onRefused?.(refusal)
    // To reject an id that another suggestion has would end that one.
    if (id === undefined || reason === "duplicateId" || open.has(id)) return Effect.void
    return reject(id, reason === "stale" ? "cancelled" : undefined)
  }

  /** Rejects what nobody waits for any more. */
  const refuseAll = (result: unknown): Effect.Effect<void> =>
    Effect.forEach(
      Admission.read(result, () => true, limits) ?? [],
      (each) => refuse("suggestion" in each ? about(each.suggestion, "stale") : each),
      { discard: true }
    ).pipe(Effect.ignore)

  /** The texts that places are in: of open documents, and of others where somebody reads them. */
  const linesOf = Effect.fnUntraced(function* (known: Documents, uris: Iterable<string>) {
    const lines = new Map<string, Lines>()
    let texts = 0
    for (const uri of new Set(uris)) {
      const document = known.get(uri)
      if (document !== undefined) lines.set(uri, document.lines)
      else if (textOf !== undefined && texts < mostTexts) {
        texts += 1
        const text = yield* textOf(uri)
        if (text !== undefined) lines.set(uri, Lines.of(text))
      }
    }
    return lines
  })

  /** Shows or refuses each suggestion of a response. All of them are settled when this has ended. */
  const admit = (result: unknown, asked: string, known: Documents) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const sameIn = SameUri.among([...known.keys(), ...documents().keys()])
        /** Names an open document as its editor does, however the agent writes its URI: its text is the one that counts. */
        const spelled = (suggestion: Suggestion): Suggestion => ({
          ...suggestion,
          uri: sameIn(suggestion.uri) ?? suggestion.uri
        })
        const read = Admission.read(result, isOffered, limits)
        if (read === undefined)
          return yield* new MalformedResult({ method, message: "It has no list of suggestions", result })
        const list = read.map((each) => ("suggestion" in each ? { suggestion: spelled(each.suggestion) } : each))
        const uris = list.flatMap((each) =>
          "suggestion" in each && Admission.hasPlaces(each.suggestion) ? [each.suggestion.uri] : []
        )
        const lines = yield* Effect.onInterrupt(restore(linesOf(known, uris)), () => refuseAll(result))
        const isStale = (uri: string) => known.get(uri)?.version !== documents().get(uri)?.version
        const shown: Array<Suggestion> = []
        for (const each of list) {
          if (!("suggestion" in each)) {
            yield* refuse(each)
            continue
          }
          const { suggestion } = each
          const { id, uri } = suggestion
          const placed = open.has(id)
            ? "duplicateId"
            : isStale(asked) || isStale(uri)
              ? "stale"
              : Admission.placed(suggestion, lines.get(uri), encoding)
          if (typeof placed === "string") yield* refuse(about(suggestion, placed))
          else {
            shown.push(placed)
            yield* ignore(open.add(placed))
          }
        }
        return shown
      })
    )

  const paramsOf = (
    { context, position, selection, triggerKind, uri }: SuggestRequest,
    known: Documents,
    document: ClientDocument
  ) => {
    const { lines, version } = document
    const whole = document.isShared || !wants.recentFiles ? context : withText(context, uri, document)
    const wanted = whole && Wanted.contextFor(wants, whole)
    return {
      uri,
      version,
      position: lines.convert(position, "utf-16", encoding),
      ...(selection && { selection: lines.convertRange(selection, "utf-16", encoding) }),
      triggerKind,
      ...(wanted && { context: Places.inContext(wanted, Places.between(textsOf(known, context), "utf-16", encoding)) })
    }
  }

  const suggest: ClientSuggestions["suggest"] = (request) =>
    Effect.suspend(() => {
      const { uri } = request
      const known = new Map(documents())
      const document = known.get(uri)
      if (document === undefined) return Effect.fail(new InvalidRequest({ method, message: `${uri} is not open` }))
      const stale = Deferred.makeUnsafe<void>()
      let response: { readonly result: unknown } | undefined
      let isAbandoned = false
      /** Nobody waits any more: what has come, or comes later, is rejected. */
      const abandon = Effect.suspend(() => {
        isAbandoned = true
        return response === undefined ? Effect.void : refuseAll(response.result)
      })
      const call = ask(paramsOf(request, known, document), {
        onResponse: (exit) => {
          if (Exit.isFailure(exit)) return Effect.void
          response = { result: exit.value }
          // The reader must not wait for the other side.
          return isAbandoned ? Effect.asVoid(Effect.forkIn(refuseAll(exit.value), scope)) : Effect.void
        }
      })
      running.set(stale, uri)
      return Effect.raceFirst(
        Effect.map(call, (result) => ({ result })),
        Deferred.await(stale)
      ).pipe(
        Effect.onInterrupt(() => abandon),
        Effect.ensuring(Effect.sync(() => running.delete(stale))),
        Effect.flatMap((outcome) =>
          outcome === undefined ? Effect.as(abandon, []) : admit(outcome.result, uri, known)
        )
      )
    })

  const end = (id: string, ending: string, send: Told): Told =>
    Effect.suspend(() =>
      open.end(id) ? send : Effect.fail(new InvalidRequest({ method: ending, message: `${id} is no open suggestion` }))
    )

  return {
    suggest,
    accept: (id) => end(id, "nes/accept", tell("nes/accept", { id })),
    reject: (id, reason) => end(id, "nes/reject", reject(id, reason)),
    refused,
    outdate: (uri) => {
      for (const [stale, asked] of running) if (asked === uri) Deferred.doneUnsafe(stale, Exit.void)
    },
    leave: (uri) => Effect.suspend(() => ignore(open.endAbout(uri))),
    leaveAll: Effect.suspend(() => ignore(open.endAll()))
  }
}

const about = ({ id, kind, uri }: Suggestion, reason: Admission.Reason): Admission.Refusal => ({
  reason,
  id,
  kind,
  uri
})

/** The context with the text of the document itself first: an agent that has no other way gets it so. */
const withText = (context: Context = {}, uri: string, { languageId, lines: { text } }: ClientDocument): Context => ({
  ...context,
  recentFiles: [{ uri, languageId, text }, ...(context.recentFiles ?? []).filter((file) => file.uri !== uri)]
})

/** The texts of documents that are open, and of those in the context. */
const textsOf = (documents: Documents, context: Context | undefined) => {
  const recent = new Map<string, Lines>()
  return (uri: string): Lines | undefined => {
    const known = documents.get(uri)?.lines ?? recent.get(uri)
    if (known !== undefined) return known
    const text = context?.recentFiles?.find((file) => file.uri === uri)?.text
    if (text === undefined) return undefined
    const lines = Lines.of(text)
    recent.set(uri, lines)
    return lines
  }
}
