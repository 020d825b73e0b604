/** A scheduler that runs tasks when a test says so. A chain in memory is at rest when none is left. */
import type * as Scheduler from "effect/Scheduler"

/** More tasks than any case needs: what runs on for ever is stopped there. */
const tooMany = 1_000_000

export interface Tasks {
  readonly scheduler: Scheduler.Scheduler
  /** Runs up to so many tasks. */
  readonly run: (count: number) => void
  /** Runs tasks until none is left. */
  readonly settle: () => void
}

/**
 * @param order 0 runs tasks in the order in which they became ready. With another number a fiber's tasks keep their order, and chance decides
 *   between fibers.
 */
export const make = (order: number): Tasks => {
  const ready: Array<{ readonly dispatcher: object; readonly task: () => void }> = []
  let state = order

  const chosen = (): number => {
    if (order === 0 || ready.length < 2) return 0
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const dispatcher = ready[(state >>> 8) % ready.length]?.dispatcher
    return ready.findIndex((each) => each.dispatcher === dispatcher)
  }

  const runOne = (): boolean => {
    const [next] = ready.splice(chosen(), 1)
    next?.task()
    return next !== undefined
  }

  const run = (count: number): void => {
    for (let done = 0; done < count && runOne(); done++);
  }

  return {
    scheduler: {
      executionMode: "async",
      shouldYield: ({ currentOpCount }) => currentOpCount >= 2_048,
      makeDispatcher: () => {
        const dispatcher: Scheduler.SchedulerDispatcher = {
          scheduleTask: (task) => void ready.push({ dispatcher, task }),
          flush: () => {
            for (;;) {
              const at = ready.findIndex((each) => each.dispatcher === dispatcher)
              if (at === -1) return
              ready.splice(at, 1)[0]?.task()
            }
          }
        }
        return dispatcher
      }
    },
    run,
    settle: () => {
      run(tooMany)
      if (ready.length > 0) throw new Error("It runs on for ever")
    }
  }
}
