/**
 * The rows of a wire. A message that passes several parts unchanged is one row, and so are pieces of one text. Requests
 * and their answers know each other.
 */
import type { WireRow } from "@signalbox/contracts/Wire"
import type { TapeLine } from "../tape/TapeReader.ts"
import type { TapeNote } from "../tape/TapeNote.ts"
import { jsonOf, shown } from "./MessageWords.ts"
import * as WaitingMessages from "./WaitingMessages.ts"
import * as WireMessage from "./WireMessage.ts"

/** Requests that are remembered for the time that their answers take. More are forgotten, the oldest first. */
const mostAsked = 10_000

/** Texts that may go on at once. With more, each piece is a row until something else is said. */
const mostRuns = 100

/** Lines before the chain is known that get their place once it is. */
const mostEarly = 1000

/** Characters of a line that is no message. */
const longestWords = 200

/** A row that may still grow. */
interface Growing {
  row: WireRow
  /** How many of its messages have come to each place. Undefined for a row of one message. */
  readonly arrived: Map<number, number> | undefined
}

/** A request on one hop. */
interface Hop {
  readonly of: Growing
  readonly at: number
  readonly message: WireMessage.Said
  /** Whether its row begins with it. */
  readonly isFirst: boolean
  /** What the part at its end has sent on: this request, on the next hop. */
  next?: Hop
  /** The answer on this hop, with its text. */
  answer?: { readonly of: Growing; readonly text: string | undefined }
}

/** What waits at a part, to go on. A request knows its hop. */
interface Waiting {
  readonly of: Growing
  readonly hop?: Hop
}

export interface WireRows {
  /** Takes the next line. */
  readonly take: (line: TapeLine) => void
  /** Lines are missing here. Answers may be among them. */
  readonly miss: () => void
  /** The rows that are new or have changed since this was asked last, in the order of their lines. */
  readonly changed: () => ReadonlyArray<WireRow>
  /** The names of the places, from Signalbox to the agent. */
  readonly places: () => ReadonlyArray<string>
}

export const make = (): WireRows => {
  let places: ReadonlyArray<string> = ["Signalbox", "Agent"]
  /** Whether components were to stand in front of the agent. */
  let hasChain = false
  const changed = new Map<number, Growing>()
  const waiting = WaitingMessages.make<Waiting>()
  /** Requests without answers, by their sender, receiver and id. */
  const asked = new Map<string, Hop>()
  /** The latest rows, as far as they may stand for further pieces of the same texts. */
  const runs = new Map<string, Growing>()
  /** What stands at the agent, whose place is not known before its chain. */
  let early: Array<{ readonly of: Growing; readonly part: string | undefined }> = []

  const change = (of: Growing, members: Partial<WireRow>) => {
    of.row = { ...of.row, ...members }
    changed.set(of.row.line, of)
  }
  const begin = (row: WireRow, arrived?: Growing["arrived"]): Growing => {
    const of = { row, arrived }
    if (arrived === undefined) runs.clear()
    changed.set(row.line, of)
    return of
  }
  const beginSaid = (message: WireMessage.Said, changedFrom?: WireRow): Growing => {
    const { at, from, id, line, mcp, method, run: piece, summary, to } = message
    return begin(
      {
        line,
        lines: [],
        at,
        from,
        to,
        kind: message.kind,
        method,
        ...(mcp && { mcp }),
        ...(message.kind === "request" && { id }),
        ...(changedFrom !== undefined && { changed: changedFrom.line }),
        summary
      },
      piece === undefined ? undefined : new Map()
    )
  }

  /** Counts a piece that has come to a place. */
  const arrive = (of: Growing, { to }: WireMessage.WireMessage, sent: number) => {
    if (of.arrived === undefined) return
    of.arrived.set(to, (of.arrived.get(to) ?? 0) + 1)
    if (sent > 1) change(of, { times: { sent, arrived: of.arrived.get(of.row.to) ?? 0 } })
  }

  /** A message has come one hop further. */
  const extend = (of: Growing, message: WireMessage.WireMessage, members: Partial<WireRow> = {}) => {
    const { line, lines, times } = of.row
    const isFarther = Math.abs(message.to - of.row.from) > Math.abs(of.row.to - of.row.from)
    change(of, {
      ...members,
      ...(isFarther && { to: message.to }),
      ...(times === undefined && message.line !== line && { lines: [...lines, message.line] })
    })
    arrive(of, message, times?.sent ?? 1)
  }

  const waits = ({ to }: WireMessage.WireMessage) => hasChain && to !== 0 && to !== places.length - 1

  const takeNotification = (message: WireMessage.Said) => {
    const before = waiting.same(message, () => true)
    const key = message.run && JSON.stringify([message.from, message.session, message.run])
    const run = key === undefined ? undefined : runs.get(key)
    let of = before?.of
    if (of !== undefined) extend(of, message)
    else if (run !== undefined) {
      of = run
      const sent = (of.row.times?.sent ?? 1) + 1
      change(of, { times: { sent, arrived: 0 } })
      arrive(of, message, sent)
    } else {
      of = beginSaid(message)
      arrive(of, message, 1)
      if (key !== undefined && runs.size < mostRuns) runs.set(key, of)
    }
    if (waits(message)) waiting.came(message, { of })
  }

  const takeRequest = (message: WireMessage.Said) => {
    const isOpen = ({ hop }: Waiting) =>
      hop !== undefined && hop.answer === undefined && hop.message.session === message.session
    const same = waiting.same(message, isOpen)
    // Components ask the client in the agent's way, too: only what goes down is taken for the same request.
    const isDown = message.to > message.from
    const before = same ?? (isDown && message.text !== undefined ? waiting.first(message, isOpen) : undefined)
    const of = same?.of ?? beginSaid(message, before?.of.row)
    if (same !== undefined) extend(of, message)
    const hop: Hop = { of, at: message.at, message, isFirst: same === undefined }
    if (before?.hop !== undefined) before.hop.next = hop
    asked.set(hopKey(message.from, message.to, message.id), hop)
    if (waits(message)) waiting.came(message, { of, hop })
    if (asked.size <= mostAsked) return
    for (const [oldest, { of: forgotten }] of asked) {
      miss(forgotten)
      return void asked.delete(oldest)
    }
  }

  /** The answer of a request may come without being known. */
  const miss = (of: Growing) => {
    if (of.row.pair === undefined) change(of, { missed: true })
  }

  const takeAnswer = (message: WireMessage.Answered) => {
    const { at, error, from, id, line, summary, text, to } = message
    const key = hopKey(to, from, id)
    const hop = asked.get(key)
    asked.delete(key)
    const before = hop?.next?.answer
    const took = hop === undefined ? {} : { tookMs: at - hop.at }
    const isSame = text !== undefined && before?.text === text
    const of =
      isSame && before !== undefined
        ? before.of
        : begin({
            line,
            lines: [],
            at,
            from,
            to,
            kind: "answer",
            id,
            ...(hop !== undefined && { method: hop.message.method, pair: hop.of.row.line }),
            ...(hop?.message.mcp && { mcp: true }),
            ...took,
            ...(error && { error }),
            ...(text !== undefined && before?.text !== undefined && { changed: before.of.row.line }),
            summary
          })
    if (isSame) extend(of, message, took)
    if (hop === undefined) return
    hop.answer = { of, text }
    if (hop.isFirst) change(hop.of, { pair: of.row.line })
  }

  const takeNote = (note: TapeNote): string | undefined => {
    switch (note.event) {
      case "start": {
        hasChain = (note.components ?? []).length > 0
        places = ["Signalbox", note.provider?.name ?? "Agent"]
        return `The agent was started: ${shown(note.argv.join(" "), longestWords)}`
      }
      case "chain": {
        places = ["Signalbox", ...note.parts.map(({ name }) => name)]
        for (const { of, part } of early) change(of, { from: placeOf(part), to: placeOf(part) })
        early = []
        const added = note.parts.flatMap(({ because, name }) =>
          because === undefined ? [] : [` ${name} was added, since ${because}.`]
        )
        return `The chain is complete.${added.join("")}`
      }
      case "exit": {
        const how = note.signal === undefined ? `with exit code ${note.exitCode ?? "unknown"}` : `by ${note.signal}`
        return `The agent ended ${how}.`
      }
      case "part":
      case "tape":
      case "export":
        return undefined
    }
  }

  /** The place of a component, or the agent's. */
  const placeOf = (part: string | undefined): number => {
    const at = part === undefined ? -1 : places.indexOf(part, 1)
    return at === -1 ? places.length - 1 : at
  }

  /** A line that stands at one place. */
  const standing = (line: TapeLine, kind: "note" | "stderr" | "stray", words: string) => {
    const part = line.type === "err" ? line.part : undefined
    const place = kind === "stray" ? 1 : placeOf(part)
    const to = kind === "stray" ? 0 : place
    const summary = shown(words, longestWords)
    const of = begin({ line: line.line, lines: [], at: line.at, from: place, to, kind, summary })
    // An agent may write before its start is noted.
    if (kind !== "stray" && places.length === 2 && early.length < mostEarly) early.push({ of, part })
  }

  return {
    take: (line) => {
      if (line.type === "note") {
        const words = line.note && takeNote(line.note)
        if (words !== undefined) standing(line, "note", words)
        return
      }
      const message = WireMessage.of(line, places.length - 1)
      if (message === undefined) {
        const text = typeof line.message === "string" ? line.message : (jsonOf(line.message) ?? line.text)
        return standing(line, line.type === "err" ? "stderr" : "stray", text)
      }
      switch (message.kind) {
        case "notification":
          return takeNotification(message)
        case "request":
          return takeRequest(message)
        case "answer":
          return takeAnswer(message)
      }
    },
    miss: () => {
      for (const { of } of asked.values()) miss(of)
    },
    changed: () => {
      const rows = [...changed.values()].map(({ row }) => row).sort((one, other) => one.line - other.line)
      changed.clear()
      return rows
    },
    places: () => places
  }
}

const hopKey = (from: number, to: number, id: string): string => `${from}>${to} ${id}`
