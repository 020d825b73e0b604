import type { Script } from "../Script.ts"

/** Thinks three chunks and says the prompt back. */
export const echo: Script = async (turn) => {
  await turn.think("", ["I am a simulation ", "without a model behind me, ", "so I repeat what I was told."])
  await turn.say(`This is a simulated agent. You said:\n\n${turn.text}`)
}

const burst = 50

/** `n` chunks, `ms` apart, for load tests; without a pause, fifty in every turn of the event loop. */
export const stream: Script = async (turn, args) => {
  const count = args.number("n", 0, 100)
  const pause = args.number("ms", 1, 0)
  for (let index = 0; index < count; index += 1) {
    if (pause > 0) await turn.wait(pause)
    else if (index % burst === 0) {
      await turn.orCancelled(turn.emulator.wire.room())
      await turn.wait(0)
    }
    turn.chunk("message", `chunk ${index + 1} of ${count}\n`)
  }
}
