/** What happens in one thread. The seed alone chooses it. */
import { CommandId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId, type ProviderOptions } from "@signalbox/contracts/Provider"
import { mixed } from "@signalbox/stand-in-agents/chaos/Treatment"
import { Random } from "@signalbox/stand-in-agents/cursor/Random"
import type { Step } from "@signalbox/stand-in-agents/scripted/Script"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as KillPoint from "./KillPoint.ts"
import * as Marker from "./Marker.ts"

export const turnKinds = ["chat", "flood", "approval", "tool", "long", "hold", "crash", "litter", "stream"] as const
export type TurnKind = (typeof turnKinds)[number]

/**
 * What is done with the prompts of one life. `rearranged`: the queue is held, its prompts are changed and swapped, and it is released
 * after `heldForMs`. `steered`: the second prompt is sent into the running turn. There may be no second prompt.
 */
export type Manner =
  | { readonly type: "plain" | "steered" }
  | { readonly type: "rearranged"; readonly heldForMs: number }

export interface PlannedTurn {
  readonly turnId: TurnId
  readonly commandId: CommandId
  /** A word that everything the agent says in this turn contains, and nothing else. */
  readonly marker: string
  readonly kind: TurnKind
  readonly prompt: string
  /** The file that the prompt names, if it names one. */
  readonly script: { readonly path: string; readonly text: string } | undefined
  /** The full text of the agent's messages when nobody stops it. Absent where it can't be known, or the proxy loses some of it. */
  readonly says: string | undefined
  /** The final output of the tool call, if the turn has one with long output. */
  readonly longText: string | undefined
  /** Whether Stop is pressed on the turn or on the whole session. */
  readonly stops: "turn" | "session"
  /** When the prompt is taken back, if at all. That works only while it waits. */
  readonly takenBack: "at once" | "too late" | undefined
  /** Milliseconds after the agent was given the turn until somebody presses Stop. */
  readonly stopAfterMs: number | undefined
  /** Milliseconds that a request stays open before it is answered. */
  readonly answerAfterMs: number
  /** Whether both clients answer at once, with different answers. */
  readonly contested: boolean
  /** Whether both clients send the prompt at once, under the same command id. */
  readonly twice: boolean
}

export interface Scenario {
  readonly seed: number
  readonly threadId: ThreadId
  readonly provider: ProviderId
  readonly providerOptions: ProviderOptions
  /** The file in which the agent records what it received. */
  readonly log: string
  /** `NAME=value`, set only in the environment of this thread's agents. */
  readonly agentMark: string
  /** When the thread is deleted, if at all: the life of the server, and the time since that life began. */
  readonly removal: { readonly life: number; readonly afterMs: number } | undefined
  /** Whether the connection to the agent breaks again and again. Then turns may fail through no fault of the server. */
  readonly hostile: boolean
  /** The turns that are asked for, by life of the server. */
  readonly turns: ReadonlyArray<ReadonlyArray<PlannedTurn>>
  /** What is done with the turns beside sending them, by life of the server. */
  readonly manners: ReadonlyArray<Manner>
}

const standIn = (path: string): string =>
  fileURLToPath(new URL(`../../../packages/stand-in-agents/src/${path}`, import.meta.url))

/**
 * @param folder a folder for this scenario alone
 * @param lives the number of lives of the server; the last one checks that the thread is well
 */
export const make = (seed: number, folder: string, lives: number): Scenario => {
  const random = new Random(mixed(seed, 0x5ca1ab1e))
  const log = join(folder, `${seed}.received.ndjson`)
  const emulated = random.next() < 0.15 && !KillPoint.streams(seed)
  const proxied = random.next() < 0.25
  const setup = {
    ...[{ load: {} }, { resume: {} }, {}][random.between(0, 2)],
    ...(random.next() < 0.3 && { ignoreEof: true }),
    ...(random.next() < 0.15 && { ignoreSigterm: true })
  }
  const hostile = !emulated && proxied && random.next() < 0.4 && !KillPoint.streams(seed)
  const schedule = scheduleOf(hostile, random)
  const lossy = proxied && "drop" in schedule.toClient
  const circumstances = { emulated, folder, hostile, lossy, random }
  const turns = Array.from({ length: lives }, (_, life) => {
    if (life === lives - 1) return [plan(seed, life, 0, "chat", circumstances)]
    const streams = KillPoint.streams(seed) && KillPoint.lifeOf(seed) === life
    // A second prompt waits behind the first.
    return Array.from({ length: random.next() < 0.3 ? 2 : 1 }, (_, index) => {
      const drawn = turnKinds[random.between(0, turnKinds.length - 1)] ?? "chat"
      return plan(seed, life, index, streams ? "stream" : drawn, circumstances)
    })
  })
  const removed = KillPoint.removes(seed) || (random.next() < 0.03 && !KillPoint.streams(seed))
  const removal = removed ? { life: KillPoint.lifeOf(seed), afterMs: random.between(200, 2500) } : undefined
  const manners = turns.map((_, life): Manner => {
    const dealt = random.next()
    if (dealt < 0.3) return { type: "rearranged", heldForMs: random.between(0, 1500) }
    return { type: dealt < 0.5 && life < lives - 1 ? "steered" : "plain" }
  })
  const agentMark = `${emulated ? "FAKE_CURSOR_LOG" : "SCRIPTED_AGENT_LOG"}=${log}`
  const common = { seed, threadId: ThreadId.make(`thread-${seed}`), log, agentMark, removal, hostile, turns, manners }
  if (emulated) {
    const env = {
      FAKE_CURSOR_STATE: join(folder, `${seed}.cursor`),
      FAKE_CURSOR_LOG: log,
      FAKE_CURSOR_TIME_SCALE: "0.1",
      FAKE_CURSOR_SEED: String(seed),
      FAKE_CURSOR_QUIRKS: random.next() < 0.5 ? "worker_child" : "ignore_sigterm"
    }
    return { ...common, provider: ProviderId.make("cursor-simulated"), providerOptions: { cursor: { env } } }
  }
  const agent = [standIn("scripted/main.ts")]
  const proxy = [standIn("chaos/main.ts"), "--seed", String(seed), "--schedule", JSON.stringify(schedule), "--"]
  const env = { SCRIPTED_AGENT: JSON.stringify(setup), SCRIPTED_AGENT_LOG: log }
  const args = proxied ? [...proxy, process.execPath, ...agent] : agent
  return {
    ...common,
    provider: ProviderId.make("scripted"),
    providerOptions: { acp: { command: process.execPath, args, env } }
  }
}

/** The faults that the proxy causes. A conversation has to survive all of them but those that are `hostile`. */
const scheduleOf = (hostile: boolean, random: Random) => {
  const moment = moments[random.between(0, moments.length - 1)]
  const lossy = { drop: 0.05, duplicate: 0.05, garble: 0.05, only: ["session/update"] }
  return {
    toClient: {
      delay: 0.1,
      delayMs: [0, 10],
      split: 0.3,
      join: 0.2,
      noise: 0.1,
      stderr: 0.05,
      ...(random.next() < 0.3 && lossy)
    },
    toAgent: { split: 0.5, delay: 0.2, delayMs: [0, 5] },
    ...(hostile && { moments: [moment] })
  }
}

/** Lists the faults that end a conversation. A hostile thread gets one of them, again in each process of its agent. */
const moments = [
  { direction: "toAgent", method: "session/prompt", when: "before", do: "kill-agent" },
  { direction: "toAgent", method: "session/prompt", do: "kill-proxy" },
  { direction: "toAgent", method: "session/prompt", nth: 2, do: "kill-proxy" },
  { direction: "toClient", method: "session/update", nth: 3, do: "kill-agent" },
  { direction: "toClient", method: "session/update", nth: 5, do: "close-output" },
  { direction: "toAgent", method: "session/prompt", do: "close-input" },
  { direction: "toClient", answers: "session/new", do: "kill-agent" }
]

interface Circumstances {
  readonly folder: string
  readonly emulated: boolean
  readonly hostile: boolean
  /** Whether some of what the agent says is lost on its way. */
  readonly lossy: boolean
  readonly random: Random
}

const plan = (
  seed: number,
  life: number,
  index: number,
  kind: TurnKind,
  { emulated, folder, hostile, lossy, random }: Circumstances
): PlannedTurn => {
  const marker = Marker.make(seed, life, index)
  const stopped = kind === "hold" || random.next() < 0.1
  const script = emulated ? undefined : steps(kind, marker, random)
  const path = join(folder, `${marker}.json`)
  return {
    turnId: TurnId.make(random.uuid()),
    commandId: CommandId.make(random.uuid()),
    marker,
    kind,
    prompt: script === undefined ? emulatorPrompt(kind, marker, random) : `file: ${path}`,
    script: script && { path, text: JSON.stringify(script) },
    says: script === undefined || lossy ? undefined : spoken(script),
    longText: kind === "long" && !emulated ? longTextOf(marker) : undefined,
    stops: random.next() < 0.2 ? "session" : "turn",
    takenBack: random.next() < 0.2 ? (index > 0 && random.next() < 0.5 ? "at once" : "too late") : undefined,
    // An agent that no longer gets its input may be silent for ever. Then a person has to press Stop.
    stopAfterMs: stopped ? patience(random) : hostile ? random.between(1000, 2000) : undefined,
    answerAfterMs: random.next() < 0.5 ? 0 : random.between(50, 800),
    contested: random.next() < 0.5,
    twice: random.next() < 0.3
  }
}

/** Milliseconds until Stop. Some stop at once. Others wait so long that a timer has written the text to the disk. */
const patience = (random: Random): number => (random.next() < 0.5 ? random.between(0, 300) : random.between(1500, 3000))

const emulatorPrompt = (kind: TurnKind, marker: string, random: Random): string => {
  switch (kind) {
    case "approval":
      return `${marker} [[fake:shell cmd="sleep 0"]]`
    case "hold":
      return `${marker} [[fake:hang]]`
    case "crash":
      return `${marker} [[fake:crash code=signal]]`
    case "chat":
    case "flood":
    case "litter":
    case "long":
    case "stream":
    case "tool":
      return random.next() < 0.5 ? `${marker} [[fake:todos]]` : `${marker} [[fake:stream n=30 ms=100]]`
  }
}

const words = "lorem ipsum dolor sit amet, Grüße 👋 consectetur adipiscing elit "

/** A text longer than what is sent with a tool call, and longer than one stored chunk. */
const longTextOf = (marker: string): string => `${marker}${words}`.repeat(400)

/** The steps of the scripted agent for one turn. */
const steps = (kind: TurnKind, marker: string, random: Random): ReadonlyArray<Step> => {
  const wait = random.between(0, 25)
  const talk = [{ repeat: random.between(3, 30), steps: [{ text: `${marker}{i} ${words}` }, { wait }] }]
  switch (kind) {
    case "chat":
      return [{ thought: `${marker} hm` }, ...talk]
    case "flood":
      return [{ repeat: 400, steps: [{ text: `${marker}{i} ${words}` }] }]
    case "approval": {
      const toolCall = { toolCallId: `${marker}p`, title: marker, kind: "execute" }
      const options = [
        { optionId: "go", name: "Go ahead", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" }
      ]
      const on = { go: [{ text: `${marker} went ` }], no: [{ text: `${marker} stayed ` }] }
      return [{ text: `${marker} may I? ` }, { permission: { toolCall, options }, on }, ...talk]
    }
    case "tool": {
      const id = { toolCallId: `${marker}t` }
      const body = { type: "content", content: { type: "text", text: `${marker}${words.repeat(20)}` } }
      const grow = { ...id, sessionUpdate: "tool_call_update", status: "in_progress", content: [body] }
      return [
        { update: { ...id, sessionUpdate: "tool_call", title: marker, kind: "read", status: "pending" } },
        { repeat: 5, steps: [{ update: grow }, { wait }] },
        { update: { ...id, sessionUpdate: "tool_call_update", status: "completed", content: [body] } },
        ...talk
      ]
    }
    case "long": {
      const id = { toolCallId: `${marker}t` }
      const body = (length: number) => [
        { type: "content", content: { type: "text", text: longTextOf(marker).slice(0, length) } }
      ]
      const grow = { ...id, sessionUpdate: "tool_call_update", status: "in_progress", content: body(18_000) }
      return [
        { update: { ...id, sessionUpdate: "tool_call", title: marker, kind: "execute", status: "pending" } },
        { update: grow },
        { wait },
        { update: { ...id, sessionUpdate: "tool_call_update", status: "completed", content: body(40_000) } },
        ...talk
      ]
    }
    case "hold":
      return [...talk, { waitForCancel: true }]
    case "crash":
      return [...talk, { crash: random.next() < 0.5 ? "SIGKILL" : 3 }]
    case "litter":
      // One process in the agent's group or in a session of its own, and one more in a session of its own.
      return [random.next() < 0.5 ? { child: true } : { daemon: true }, { daemon: true }, ...talk]
    case "stream": {
      const pause = { wait: random.between(10, 20) }
      return [{ repeat: random.between(200, 300), steps: [{ text: `${marker}{i} ${words}` }, pause] }]
    }
  }
}

/** The full text that these steps say. `undefined` where a step adds words that are not in the script. */
const spoken = (script: ReadonlyArray<Step>): string | undefined =>
  script.some(({ child, daemon, permission }) => child ?? daemon ?? permission) ? undefined : textOf(script, 0)

const textOf = (script: ReadonlyArray<Step>, round: number): string =>
  script
    .map(({ repeat = 0, steps: inner = [], text = "" }) =>
      repeat > 0
        ? Array.from({ length: repeat }, (_, index) => textOf(inner, index)).join("")
        : text.replaceAll("{i}", String(round))
    )
    .join("")
