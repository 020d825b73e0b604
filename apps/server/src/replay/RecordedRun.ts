/** One recorded process of a tape, with all that must be known before it is replayed. */
import { ContentBlock } from "@signalbox/acp/AcpSchema"
import { ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId, type ProviderRef } from "@signalbox/contracts/Provider"
import type { SessionChain } from "@signalbox/contracts/SessionChain"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { basename } from "node:path"
import { objectOf, textOf } from "../base/Json.ts"
import { promptDigest } from "../provider/acp/projection/PromptDigest.ts"
import type { Driver } from "../provider/drivers/Driver.ts"
import { driverOf } from "../provider/drivers/Drivers.ts"
import * as RepeatedPrompt from "../provider/acp/projection/RepeatedPrompt.ts"
import type { ExitNote, StartNote } from "../tape/TapeNote.ts"
import type { Place, TapeFault, TapeLine } from "../tape/TapeReader.ts"
import * as PeoplesPart from "./PeoplesPart.ts"

/** Characters. A line of the wire is not longer. */
const longestPrompt = 32 * 1024 * 1024

/** A recorded message of the client. */
export interface Heard {
  /** The number of the message, from 0, among the client's messages to this process. */
  readonly number: number
  readonly place: Place
  readonly at: number
  readonly message: unknown
  readonly act: PeoplesPart.Act | undefined
  /** The number of requests to people before this message. */
  readonly asked: number
}

/** A recorded message of the agent. */
export interface Said {
  /** The number of the tape's line. */
  readonly line: number
  readonly at: number
}

export interface RecordedRun {
  readonly start: StartNote
  readonly startedAt: number
  readonly threadId: ThreadId
  readonly provider: ProviderRef
  /** The file with the lines of this process alone, for the tape player. */
  readonly path: string
  readonly said: ReadonlyArray<Said>
  /** The client's messages, by the line of that file. */
  readonly heard: ReadonlyMap<number, Heard>
  /** The prompts of our record of the thread. A prompt that the agent did not replay is replaced by its digest. */
  readonly knownPrompts: ReadonlyArray<string>
  readonly signedIn: boolean
  /** The parts of its chain. Undefined without components. */
  readonly chain: SessionChain | undefined
  /** The number of all requests to people. */
  readonly asked: number
  /** The place and time of its last line. */
  readonly last: { readonly place: Place; readonly at: number }
  readonly exit: ExitNote | undefined
  /** Why the tape's record of this process is incomplete. */
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
  let chain: SessionChain | undefined
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
      } else if (line.type === "note" && line.note?.event === "chain") chain = line.note.parts
      else if (line.type === "note" && line.note?.event === "exit") exit = line.note
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
      chain,
      last,
      exit,
      fault
    })
  }
}

/** The agent for the oldest tapes, which don't name it. */
const unnamed = ({ argv: [command = ""] }: StartNote): ProviderRef => ({
  id: ProviderId.make("custom"),
  kind: "acp",
  name: basename(command),
  simulated: false
})

/** Updates that end a prompt in a replayed history. */
const answers: ReadonlySet<string | undefined> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan"
])

const readBlock = Schema.decodeUnknownOption(ContentBlock)

/** Finds the texts of known prompts. A tape holds only their digests, but the agent replays them. */
const replayedPrompts = () => {
  const told = new Map<string, string>()
  let prompt = RepeatedPrompt.none
  const settle = () => {
    for (const reading of RepeatedPrompt.readings(prompt)) if (reading !== "") told.set(promptDigest(reading), reading)
    prompt = RepeatedPrompt.none
  }
  const hear = (piece: ContentBlock) => {
    prompt = RepeatedPrompt.add(prompt, piece, longestPrompt)
    // The agent may replay several prompts as one, each as a piece.
    if (piece.type === "text") told.set(promptDigest(piece.text), piece.text)
  }
  return {
    see: (message: unknown) => {
      const update = objectOf(objectOf(objectOf(message)["params"])["update"])
      const kind = textOf(update, "sessionUpdate")
      if (kind === "user_message_chunk") Option.match(readBlock(update["content"]), { onNone: () => {}, onSome: hear })
      else if (answers.has(kind)) settle()
    },
    /** The texts of these digests. Without a text, the digest stands for it: it equals no prompt of the replay. */
    recognised: (digests: ReadonlyArray<string>): ReadonlyArray<string> => {
      settle()
      return digests.map((digest) => told.get(digest) ?? digest)
    }
  }
}
