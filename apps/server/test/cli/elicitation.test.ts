/** Forms and addresses of agents at the terminal, and where there is none. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { play } from "./support/Runs.ts"
import { call, hasTerminals, start } from "./support/Signalbox.ts"

const properties = {
  name: { type: "string", title: "Name", minLength: 3 },
  region: { type: "string", title: "Region", enum: ["eu", "us"], default: "us" },
  copies: { type: "integer", title: "Copies", maximum: 5 },
  loud: { type: "boolean", title: "Loud" }
}

const form = (more: object = {}) => ({
  request: {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "How shall it be\u001b[8m deployed?",
      requestedSchema: { properties, required: ["name", "region"] },
      ...more
    }
  }
})

const address = {
  request: {
    method: "elicitation/create",
    params: { mode: "url", message: "Sign in", url: "https://a.example@xn--80ak6aa92e.com/x?y=1", elicitationId: "e1" }
  }
}

describe("signalbox run", () => {
  it.live("[91][104] declines forms and addresses where nobody can be asked, and says so", () =>
    Effect.gen(function* () {
      const runs = [play([form(), address]), play([form(), address], "--approve", "allow")]
      for (const ended of yield* Effect.forEach(runs, (args) => call(args), { concurrency: 2 })) {
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(ended.stdout.match(/"action":"decline"/g)?.length, 2)
        assert.match(ended.stderr, /asks for Name, Region, Copies, Loud: How shall it be/)
        assert.match(ended.stderr, /asks to open https:\/\/a\.example@xn--80ak6aa92e\.com\/x\?y=1: Sign in/)
        assert.match(ended.stderr, /declined\. Nobody is there to answer/)
      }
    })
  )

  it.live.skipIf(!hasTerminals)(
    "[104] has a form filled in field by field, tells what is wrong, and sends what was confirmed",
    () =>
      Effect.gen(function* () {
        const run = yield* start(play([form()]), { terminal: true })
        const type = (after: RegExp, words: string) =>
          Effect.map(run.says(after), () => {
            run.stdin.write(`${words}\n`)
          })
        yield* type(/fill in a form[\s\S]*1 {2}Fill it in[\s\S]*2 {2}Decline[\s\S]*Number: /, "1")
        yield* type(/Name\r?\n[\s\S]*Text: /, "")
        yield* type(/It is needed\.[\s\S]*Text: /, "ab")
        yield* type(/at least 3 characters[\s\S]*Text: /, "blog")
        yield* type(/Region[\s\S]*1 {2}eu[\s\S]*2 {2}us[\s\S]*Enter for us: /, "3")
        yield* type(/one of the options\.[\s\S]*Enter for us: /, "1")
        yield* type(/Copies \(may stay empty\)[\s\S]*Number: /, "7")
        yield* type(/at most 5\.[\s\S]*Number: /, "2")
        yield* type(/Loud \(may stay empty\)[\s\S]*y or n: /, "")
        // Once more over the whole: what stands there is kept by Enter, and taken back by a dash.
        yield* type(
          /Name: blog[\s\S]*Region: eu[\s\S]*Copies: 2[\s\S]*Loud: \(nothing\)[\s\S]*Go over it again[\s\S]*Number: /,
          "2"
        )
        yield* type(/Enter for blog: /, "")
        yield* type(/Enter for eu: /, "")
        yield* type(/Enter for 2, - for nothing: /, "-")
        yield* type(/- for nothing: [\s\S]*y or n: /, "y")
        yield* type(/Copies: \(nothing\)[\s\S]*Loud: yes[\s\S]*Send it[\s\S]*Number: /, "1")
        const ended = yield* run.ended
        assert.strictEqual(ended.code, 0, ended.stdout)
        assert.include(ended.stdout, '"action":"accept","content":{"name":"blog","region":"eu","loud":true}')
        assert.notInclude(ended.stdout, "\u001b[8m")
      })
  )

  it.live.skipIf(!hasTerminals)("[105] shows where an address leads before anybody agrees to open it", () =>
    Effect.gen(function* () {
      const run = yield* start(play([address]), { terminal: true })
      yield* run.says(
        /site: xn--80ak6aa92e\.com\r?\n[\s\S]*careful: [\s\S]*before the @[\s\S]*https:\/\/a\.example@xn--80ak6aa92e\.com\/x\?y=1\r?\n[\s\S]*I open it[\s\S]*Number: /
      )
      run.stdin.write("1\n")
      const ended = yield* run.ended
      assert.include(ended.stdout, '"action":"accept"')
    })
  )

  it.live.skipIf(!hasTerminals)("[106] asks before there is a session", () =>
    Effect.gen(function* () {
      const early = form({ requestId: 1, requestedSchema: { properties: { team: { type: "string" } } } })
      const env = { SCRIPTED_AGENT: JSON.stringify({ beforeNewSession: [early] }) }
      const run = yield* start(play([{ text: "fine" }]), { terminal: true, env })
      yield* run.says(/fill in a form, before it answers session\/new[\s\S]*Number: /)
      run.stdin.write("2\n")
      const ended = yield* run.ended
      assert.strictEqual(ended.code, 0, ended.stdout)
      assert.include(ended.stdout, "fine")
    })
  )
})
