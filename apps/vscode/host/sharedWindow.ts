import { afterAll, afterEach, beforeAll } from "vitest"
import { tellShown } from "../../../scripts/suite/Shown.ts"
import { Bench, type BenchOptions, type ChatWindow } from "./Bench.ts"

export interface Opened {
  readonly bench: Bench
  readonly window: ChatWindow
}

/** Gives the tests around the call one window, with the chat in its side bar. `prepare` comes before the first of them. */
export const sharedWindow = (
  options: BenchOptions,
  prepare: (opened: Opened) => Promise<void> = async () => {}
): (() => Opened) => {
  let opened: Opened
  beforeAll(async () => {
    const bench = await Bench.open(options)
    opened = { bench, window: await bench.window() }
    await opened.window.go("Signalbox")
    await prepare(opened)
  })
  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return
    await opened.window.photograph(task.name)
    await tellShown(task, () => opened.window.documents())
  })
  afterAll(() => opened.bench.close())
  return () => opened
}
