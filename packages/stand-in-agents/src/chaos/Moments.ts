/** Follows the conversation, to find the moments of actions. */
import { isObject, parseJson, textIn } from "../Json.ts"
import type { Direction, Moment } from "./Schedule.ts"

/** The known facts of one line. */
export interface Heard {
  readonly direction: Direction
  /** The method of a request or a notification. */
  readonly method: string | undefined
  /** The method of the request that it answers. */
  readonly answers: string | undefined
}

export class Moments {
  readonly #waiting: ReadonlyArray<{ readonly moment: Moment; left: number }>
  /** The methods of unanswered requests, by the request's direction and id. */
  readonly #asked = new Map<string, string>()

  constructor(moments: ReadonlyArray<Moment>) {
    this.#waiting = moments.map((moment) => ({ moment, left: moment.nth }))
  }

  /** Classifies a line. Must be called once for every line. */
  hear(direction: Direction, line: string): Heard {
    const message = parseJson(line)
    if (!isObject(message)) return { direction, method: undefined, answers: undefined }
    const method = textIn(message, "method")
    const id = message["id"]
    if (method !== undefined) {
      if (id !== undefined) this.#asked.set(`${direction} ${JSON.stringify(id)}`, method)
      return { direction, method, answers: undefined }
    }
    const question = `${direction === "toAgent" ? "toClient" : "toAgent"} ${JSON.stringify(id)}`
    const answers = this.#asked.get(question)
    this.#asked.delete(question)
    return { direction, method, answers }
  }

  /** The moments that have come with this line. Each comes once. */
  due(heard: Heard): ReadonlyArray<Moment> {
    return this.#waiting.flatMap((waiting) => {
      const { moment } = waiting
      const fits =
        moment.direction === heard.direction &&
        (moment.method === undefined || moment.method === heard.method) &&
        (moment.answers === undefined || moment.answers === heard.answers)
      if (!fits || waiting.left === 0) return []
      waiting.left -= 1
      return waiting.left === 0 ? [moment] : []
    })
  }
}
