/**
 * One end of a connection that carries raw messages: over the byte streams of a program, or in memory within one process.
 *
 * A component that speaks over a link runs in either place. In memory no message becomes text.
 */
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ConnectionClosed, ErrorCode } from "../rpc/JsonRpc.ts"
import * as LineSplitter from "../rpc/LineSplitter.ts"
import * as Outbox from "../rpc/Outbox.ts"
import * as Outgoing from "../rpc/Outgoing.ts"
import { type Transport, TransportError } from "../rpc/Transport.ts"
import type { ProxyDialect } from "./ProxyDialect.ts"
import * as RawMessage from "./RawMessage.ts"

/** What arrives: a message, or a line that is none. */
export type Arrival = RawMessage.RawMessage | RawMessage.Unreadable

/** Takes what arrived together: nothing, if it was a part of a line. The next ones come when it completes. */
export type Receive = (batch: ReadonlyArray<Arrival>) => Effect.Effect<void>

export interface MessageLink {
  /** Hands over what arrives, in order, until the connection ends. Then it completes with the reason. Runs once. */
  readonly receive: (receive: Receive) => Effect.Effect<ConnectionClosed>
  /** Sends a message; it never waits. After the end it does nothing. */
  readonly send: (message: RawMessage.RawMessage) => void
  /** Hands over at once what was sent, in memory. What is not flushed is handed over when this turn of the event loop is over. */
  readonly flush?: (() => void) | undefined
  /** Completes when little enough is under way, or when the connection has ended. */
  readonly room: Effect.Effect<void>
  /** Characters that were sent and not taken yet, about. */
  readonly waiting: () => number
  /** Ends the output behind what was sent. */
  readonly end: Effect.Effect<void>
  /** The spelling of the proxy protocol in what is sent. It means nothing in memory. */
  readonly setDialect: (dialect: ProxyDialect) => void
}

export interface Options {
  /** Longest line that is read, in bytes. Default: `LineSplitter.defaultMaxLineBytes`. */
  readonly maxLineBytes?: number | undefined
}

/** How long is still written after the end. */
const lastWordsGrace = "1 second"

const ended = (message: string) => new ConnectionClosed({ reason: "InputEnded", message })

const broken = (reason: "ReadFailed" | "WriteFailed", cause: Cause.Cause<unknown>): ConnectionClosed => {
  const transport = TransportError.of(cause)
  return new ConnectionClosed({ reason, message: Outgoing.messageOf(cause), ...(transport && { transport }) })
}

const tooLong = (head: string): Arrival => RawMessage.tooLong(head)

/** What a whole line holds, which may be a part of a longer text. */
const arrivalOf = (text: string, from?: number, to?: number): Arrival => {
  const arrival = RawMessage.read(text, from, to)
  const isBroken = arrival._tag === "Unreadable" && arrival.answer === undefined
  return isBroken ? RawMessage.unread(arrival.text, ErrorCode.ParseError, "is not JSON") : arrival
}

/** What a line holds that nobody ended. Whoever waits for it gets the reason of the end. */
const lastArrivalOf = (line: string): Arrival => {
  const arrival = RawMessage.read(line)
  return arrival._tag === "Unreadable" ? { ...arrival, settles: undefined } : arrival
}

/** A link over newline-delimited JSON. Writing goes on, for at most a second, when the scope closes. */
export const overBytes = Effect.fnUntraced(function* (
  transport: Transport,
  options: Options = {}
): Effect.fn.Return<MessageLink, never, Scope.Scope> {
  const outbox = Outbox.make()
  const over = yield* Deferred.make<ConnectionClosed>()
  const arrived: Array<Arrival> = []
  const longest = options.maxLineBytes ?? LineSplitter.defaultMaxLineBytes
  const splitter = LineSplitter.make({ maxLineBytes: longest, onOversized: (head) => arrived.push(tooLong(head)) })
  let dialect: ProxyDialect = "proxy"

  /** What these chunks complete. A string is a whole line. */
  const read = (chunks: ReadonlyArray<Uint8Array | string>): ReadonlyArray<Arrival> => {
    const batch: Array<Arrival> = []
    for (const chunk of chunks) {
      if (typeof chunk === "string")
        batch.push(chunk.length <= longest ? arrivalOf(chunk) : tooLong(chunk.slice(0, LineSplitter.headBytes)))
      else
        for (const text of splitter.pushTexts(chunk))
          LineSplitter.eachLine(text, (from, to) => batch.push(arrivalOf(text, from, to)))
      batch.push(...arrived.splice(0))
    }
    return batch
  }

  const writer = yield* Stream.run(outbox.stream, transport.output).pipe(
    Effect.exit,
    Effect.tap((exit) =>
      Effect.suspend(() => {
        outbox.end()
        return Exit.isSuccess(exit) ? Effect.void : Deferred.succeed(over, broken("WriteFailed", exit.cause))
      })
    ),
    Effect.forkScoped
  )
  yield* Effect.addFinalizer(() =>
    Effect.sync(outbox.end).pipe(Effect.andThen(Effect.timeoutOption(Fiber.await(writer), lastWordsGrace)))
  )

  const receive: MessageLink["receive"] = (take) => {
    // A line may be long: its bytes wait for room as messages do.
    return Stream.runForEachArray(transport.input, (chunks) => Effect.suspend(() => take(read(chunks)))).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          const last = splitter.end().map(lastArrivalOf)
          return last.length === 0 ? Effect.void : take(last)
        })
      ),
      Effect.exit,
      Effect.map((exit) =>
        Exit.isSuccess(exit) ? ended("The other side closed the connection") : broken("ReadFailed", exit.cause)
      ),
      // A dying program's last words are still read.
      Effect.raceFirst(Effect.delay(Deferred.await(over), lastWordsGrace))
    )
  }

  return {
    receive,
    send: (message) => void outbox.offer(RawMessage.write(message, dialect)),
    room: outbox.room,
    waiting: outbox.waiting,
    end: Effect.sync(outbox.end),
    setDialect: (chosen) => {
      dialect = chosen
    }
  }
})

/** Characters under way in memory beyond which `room` waits: a few pipe buffers. */
const highWaterMark = 256 * 1024

/** What a message weighs on its way, in characters. */
const weightOf = (message: RawMessage.RawMessage): number => {
  if (message._tag === "Cancel") return 64
  if (message._tag === "Response")
    return 64 + ("result" in message.answer ? message.answer.result : message.answer.error).length
  return 64 + (message.params?.length ?? 0)
}

/** One direction in memory. */
const makeChannel = () => {
  const filled = Latch.makeUnsafe(false)
  const room = Latch.makeUnsafe(true)
  let waiting: Array<RawMessage.RawMessage> = []
  let weight = 0
  let isOver = false
  /** Runs what is to be done at the end of a turn of the event loop; undefined before anybody receives. */
  let later: ((task: () => void) => void) | undefined
  let isFlushDue = false

  const flush = (): void => {
    isFlushDue = false
    if (waiting.length > 0) filled.openUnsafe()
  }

  const flushLater = (): void => {
    if (isFlushDue || later === undefined) return
    isFlushDue = true
    later(flush)
  }

  const begin = Effect.withFiber((fiber) => {
    later = (task) => fiber.currentDispatcher.scheduleTask(task, 0)
    flush()
    return Effect.void
  })

  /** What is under way; undefined when nothing will come any more. */
  const take = Effect.map(filled.await, () => {
    if (waiting.length === 0) return undefined
    const batch = waiting
    waiting = []
    weight = 0
    if (!isOver) filled.closeUnsafe()
    room.openUnsafe()
    return batch
  })

  return {
    begin,
    take,
    flush,
    room: room.await,
    waiting: () => weight,
    send: (message: RawMessage.RawMessage) => {
      if (isOver) return
      waiting.push(message)
      weight += weightOf(message)
      flushLater()
      if (weight >= highWaterMark) room.closeUnsafe()
    },
    end: Effect.sync(() => {
      isOver = true
      filled.openUnsafe()
      room.openUnsafe()
    })
  }
}

/** Two connected links in memory. What one end sends, the other receives; when one ends its output, the other's input ends. */
export const pair = (): readonly [MessageLink, MessageLink] => {
  const there = makeChannel()
  const back = makeChannel()
  const link = (output: typeof there, input: typeof there): MessageLink => ({
    receive: (receive) =>
      Effect.gen(function* () {
        yield* input.begin
        for (;;) {
          const batch = yield* input.take
          if (batch === undefined) return ended("The other side closed the connection")
          yield* receive(batch)
        }
      }).pipe(
        // Over bytes, too, who takes what arrives may die: the connection is over then.
        Effect.exit,
        Effect.map((exit) => (Exit.isSuccess(exit) ? exit.value : broken("ReadFailed", exit.cause)))
      ),
    send: output.send,
    flush: output.flush,
    room: output.room,
    waiting: output.waiting,
    end: output.end,
    setDialect: () => {}
  })
  return [link(there, back), link(back, there)]
}
