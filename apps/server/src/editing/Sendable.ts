/**
 * Decides which files may be sent to an agent. A file that nobody can decide about is not sent. What was decided counts
 * for some seconds, since people change their lists and git's at any time.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { stat } from "node:fs/promises"
import { basename, dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as ByteOrderMark from "../base/ByteOrderMark.ts"
import { admitted } from "../workspace/ProtectedPaths.ts"
import { follow, refusalOf } from "../workspace/Containment.ts"
import * as IgnoredByGit from "@signalbox/process/IgnoredByGit"
import * as TextFiles from "../workspace/TextFiles.ts"
import * as NeverSend from "./NeverSend.ts"

/** A file that may be sent, or why it may not: a sentence. */
export type Verdict =
  | { readonly type: "may"; /** Without links. */ readonly path: string }
  | { readonly type: "withheld"; readonly why: string }

export interface Sendable {
  readonly of: (uri: string) => Effect.Effect<Verdict>
  /**
   * Reads a file that may be sent. Undefined if it is larger than that many bytes, is no text, or can't be read.
   *
   * @param path as the verdict says
   */
  readonly read: (path: string, mostBytes: number) => Effect.Effect<ByteOrderMark.Parted | undefined>
  /** Decides about many files at once. */
  readonly ofAll: (uris: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Verdict>>
}

export interface Options {
  /** The folders of the workspace, absolute and without links. */
  readonly roots: ReadonlyArray<string>
  /** The folders of Signalbox itself. */
  readonly own: ReadonlyArray<string>
  /** The patterns that people have added to the list. Undefined if nobody can say what these are: then nothing is sent. */
  readonly neverSend: Effect.Effect<ReadonlyArray<string> | undefined>
}

/** Milliseconds that a verdict counts. */
const freshMs = 5000
/** Most verdicts that are kept. */
const mostKept = 2000

export const uriOf = (path: string): string => pathToFileURL(path).href

/** The path of a file on this machine. Undefined for any other address. */
export const pathOf = (uri: string): string | undefined => {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

export const make = ({ neverSend, own, roots }: Options): Sendable => {
  const kept = new Map<string, { readonly verdict: Verdict; readonly at: number }>()
  let list = ""
  // A file with several names is inside by the name that it is opened by.
  const grant = { roots, own, hardLinks: "read" } as const

  const keep = (uri: string, verdict: Verdict, at: number) => {
    kept.delete(uri)
    kept.set(uri, { verdict, at })
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
  }

  /** All but git's part. */
  const looked = (uri: string, added: ReadonlyArray<string>): Effect.Effect<Verdict> => {
    const given = pathOf(uri)
    if (given === undefined) return Effect.succeed(withheld("It is no file of this machine."))
    return Effect.tryPromise({
      try: async () => {
        const { path } = await admitted(grant, given, "read")
        const folder = await follow(dirname(given))
        // A link may lead from a name on the list to another one, and so may one of the folders above.
        return { path, ways: [given, join(folder.path, basename(given)), path] }
      },
      catch: (error) => refusalOf(given, error)
    }).pipe(
      Effect.map(({ path, ways }): Verdict => {
        const names = ways.flatMap((one) => roots.flatMap((root) => (isWithin(root, one) ? [relative(root, one)] : [])))
        const pattern = names.flatMap((name) => NeverSend.patternOf(name, added) ?? []).at(0)
        return pattern === undefined
          ? { type: "may", path }
          : withheld(`It is on the list of files that are never sent (${pattern}).`)
      }),
      Effect.catch(({ message }) => Effect.succeed(withheld(message)))
    )
  }

  const ofAll: Sendable["ofAll"] = Effect.fn("Sendable.ofAll")(function* (uris) {
    const now = yield* Clock.currentTimeMillis
    const added = yield* neverSend
    const verdicts = new Map<string, Verdict>()
    if (added === undefined) {
      for (const uri of uris) verdicts.set(uri, withheld(unknownList))
      return verdicts
    }
    if (list !== added.join("\n")) kept.clear()
    list = added.join("\n")
    for (const uri of new Set(uris)) {
      const before = kept.get(uri)
      if (before !== undefined && now - before.at < freshMs && now >= before.at) verdicts.set(uri, before.verdict)
    }
    const left = [...new Set(uris)].filter((uri) => !verdicts.has(uri))
    const found = yield* Effect.forEach(
      left,
      (uri) => Effect.map(looked(uri, added), (verdict) => ({ uri, verdict })),
      { concurrency: 8 }
    )
    const ignored = yield* IgnoredByGit.check(
      found.flatMap(({ verdict }) => (verdict.type === "may" ? [verdict.path] : [])),
      roots
    )
    for (const { uri, verdict } of found) {
      const decided = verdict.type === "may" ? withGit(verdict, ignored.get(verdict.path) ?? "unknown") : verdict
      verdicts.set(uri, decided)
      keep(uri, decided, now)
    }
    return verdicts
  })

  return {
    ofAll,
    read: (path, mostBytes) =>
      Effect.gen(function* () {
        const { size } = yield* Effect.tryPromise(() => stat(path))
        return size > mostBytes ? undefined : ByteOrderMark.parted(yield* TextFiles.read(grant, path))
      }).pipe(Effect.orElseSucceed(() => undefined)),
    of: (uri) => Effect.map(ofAll([uri]), (all) => all.get(uri) ?? withheld("Nobody could decide about it."))
  }
}

const unknownList =
  "The settings can't be understood where they say what is never sent. Until they are corrected, nothing is sent."

const withheld = (why: string): Verdict => ({ type: "withheld", why })

const withGit = (verdict: Verdict, ignored: IgnoredByGit.Ignored): Verdict => {
  if (ignored === "no") return verdict
  return withheld(ignored === "yes" ? "Git ignores it." : "Git can't say whether it ignores it.")
}
