/** One process of a tape, as far as it has to be known before it can be played again. */
import { ContentBlock } from "@signalbox/acp/AcpSchema"
import { ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId, type ProviderRef } from "@signalbox/contracts/Provider"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { basename } from "node:path"
import { objectOf, textOf } from "../base/Json.ts"
import { promptDigest } from "../provider/acp/projection/PromptDigest.ts"
import type { Driver } from "../provider/drivers/Driver.ts"
import { driverOf } from "../provider/drivers/Drivers.ts"
import * as ToldPrompt from "../provider/acp/projection/ToldPrompt.ts"
import type { ExitNote, StartNote } from "../tape/TapeNote.ts"
import type { Place, TapeFault, TapeLine } from "../tape/TapeReader.ts"
import * as PeoplesPart from "./PeoplesPart.ts"

/** Characters: a line of the wire has no more. */
const longestPrompt = 32 * 1024 * 1024

/** What the client said then. */
export interface Heard {
  /** From 0, over all that it said to this process. */
  readonly number: number
  readonly place: Place
  readonly at: number
  readonly message: unknown
  readonly act: PeoplesPart.Act | undefined
  /** How many requests were put to people before. */
  readonly asked: number
}

/** What the agent said then. */
export interface Said {
  /** The line of the tape. */
  readonly line: number
  readonly at: number
}

export interface RecordedRun {
  readonly start: StartNote
  readonly startedAt: number
  readonly threadId: ThreadId
  readonly provider: ProviderRef
  /** Its lines alone, as a file that the tape player plays. */
  readonly path: string
  readonly said: ReadonlyArray<Said>
  /** What the client said, by the line of that file. */
  readonly heard: ReadonlyMap<number, Heard>
  /** The prompts that our record held, as far as the agent told them again. */
  readonly knownPrompts: ReadonlyArray<string>
  readonly signedIn: boolean
  /** How many requests were put to people altogether. */
  readonly asked: number
  /** The place and time of its last line. */
  readonly last: { readonly place: Place; readonly at: number }
  readonly exit: ExitNote | undefined
  /** Why the tape does not tell more of it. */
  readonly fault: TapeFault | undefined
}

/** A run that is being read, line by line. */
export interface RunReader {
  readonly take: (line: TapeLine) => void
  readonly end: (fault: TapeFault | undefined) => RecordedRun
}

export const reader = (start: StartNote, first: TapeLine, path: string, drivers: ReadonlyArray<Driver>): RunReader => {
  const provider = start.provider ?? unnamed(start)
  const people = PeoplesPart.make(driverOf(drivers, provider.kind).recorded)
  const prompts = replayedPrompts()
  const said: Array<Said> = []
  const heard = new Map<number, Heard>()
  let lines = 1
  let last = { place: first.place, at: first.at }
  let exit: ExitNote | undefined
  let signedIn = false

  return {
    take: (line) => {
      lines += 1
      last = { place: line.place, at: line.at }
      if (line.type === "in") {
        said.push({ line: line.line, at: line.at })
        people.see(line.message)
        prompts.see(line.message)
      } else if (line.type === "out") {
        const { at, message, place } = line
        heard.set(lines, { number: heard.size, place, at, message, act: people.actIn(message), asked: people.asked() })
        signedIn ||= textOf(objectOf(message), "method") === "authenticate"
      } else if (line.type === "note" && line.note?.event === "exit") exit = line.note
    },
    end: (fault) => ({
      start,
      startedAt: first.at,
      threadId: ThreadId.make(start.threadId ?? "tape"),
      provider,
      path,
      said,
      heard,
      asked: people.asked(),
      knownPrompts: prompts.recognised(start.knownPrompts ?? []),
      signedIn,
      last,
      exit,
      fault
    })
  }
}

/** The oldest tapes do not tell which agent it was. */
const unnamed = ({ argv: [command = ""] }: StartNote): ProviderRef => ({
  id: ProviderId.make("custom"),
  kind: "acp",
  name: basename(command),
  simulated: false
})

/** What interrupts a person in a history that is told again. */
const answers: ReadonlySet<string | undefined> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan"
])

const readBlock = Schema.decodeUnknownOption(ContentBlock)

/** A tape names the prompts that were known by digests only; the agent tells them again. */
const replayedPrompts = () => {
  const told = new Map<string, string>()
  let prompt = ToldPrompt.none
  const settle = () => {
    for (const reading of ToldPrompt.readings(prompt)) if (reading !== "") told.set(promptDigest(reading), reading)
    prompt = ToldPrompt.none
  }
  const hear = (piece: ContentBlock) => {
    prompt = ToldPrompt.add(prompt, piece, longestPrompt)
    // Several prompts may be told as one, a piece each.
    if (piece.type === "text") told.set(promptDigest(piece.text), piece.text)
  }
  return {
    see: (message: unknown) => {
      const update = objectOf(objectOf(objectOf(message)["params"])["update"])
      const kind = textOf(update, "sessionUpdate")
      if (kind === "user_message_chunk") Option.match(readBlock(update["content"]), { onNone: () => {}, onSome: hear })
      else if (answers.has(kind)) settle()
    },
    /** One that was not told again is like none that will be. */
    recognised: (digests: ReadonlyArray<string>): ReadonlyArray<string> => {
      settle()
      return digests.map((digest) => told.get(digest) ?? digest)
    }
  }
}
