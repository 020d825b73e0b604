/** The frames of a stream of the server, taken one after the other. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

interface Frame {
  readonly type: string
}

type FrameOf<A extends Frame, Type extends A["type"]> = Extract<A, { readonly type: Type }>

const isOf = <A extends Frame, Type extends A["type"]>(frame: A, type: Type): frame is FrameOf<A, Type> =>
  frame.type === type

/** Reads the stream until the scope closes. `next`: passes over frames until one is meant. `first`: leaves those before it for `next`. */
export const framesOf = Effect.fnUntraced(function* <A extends Frame, E>(stream: Stream.Stream<A, E>) {
  const frames = yield* Queue.unbounded<A>()
  const watching = yield* stream.pipe(
    Stream.runForEach((frame) => Queue.offer(frames, frame)),
    Effect.forkScoped
  )
  return {
    watching,
    next: <Type extends A["type"]>(
      type: Type,
      isMeant: (frame: FrameOf<A, Type>) => boolean = () => true
    ): Effect.Effect<FrameOf<A, Type>> =>
      Queue.take(frames).pipe(
        Effect.repeat({ until: (frame): frame is FrameOf<A, Type> => isOf(frame, type) && isMeant(frame) })
      ),
    first: <Type extends A["type"]>(...types: ReadonlyArray<Type>) =>
      Effect.gen(function* () {
        const before: Array<A> = []
        const found = yield* Queue.take(frames).pipe(
          Effect.tap((frame) => Effect.sync(() => void before.push(frame))),
          Effect.repeat({ until: (frame): frame is FrameOf<A, Type> => types.some((type) => isOf(frame, type)) })
        )
        yield* Queue.offerAll(frames, before.slice(0, -1))
        return found
      })
  }
})
