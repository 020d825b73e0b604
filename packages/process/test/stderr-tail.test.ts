/** The last words of a process come without its secrets, however they arrive. */
import { assert, describe, it } from "@effect/vitest"
import * as Secrets from "@signalbox/redaction/Secrets"
import { redacted as hidden } from "@signalbox/redaction/Spans"
import * as StderrTail from "../src/StderrTail.ts"

describe("the last words of a process", () => {
  const secret = "s3same-0pen-4711-and-more"
  const secrets = Secrets.of({ A_TOKEN: secret, B_PASS: "tiger" })
  const bytes = (text: string) => new TextEncoder().encode(text)

  it("hold no secret that came in two chunks, or goes on in the next line", () => {
    for (let at = 1; at < secret.length; at += 1) {
      const [one, two] = [secret.slice(0, at), secret.slice(at)]
      const chunks = StderrTail.make(secrets)
      chunks.push(bytes(`key ${one}`))
      chunks.push(bytes(`${two} is wrong\n`))
      assert.deepEqual(chunks.lines(), [`key ${hidden} is wrong`])
      if (at < 4) continue
      const lines = StderrTail.make(secrets)
      const told = [
        ...lines.push(bytes(`key ${one}\n`)),
        ...lines.push(bytes(`${two} is wrong\nnext\n`)),
        ...lines.end()
      ]
      assert.deepEqual(told, [`key ${hidden}`, " is wrong", "next"])
      assert.deepEqual(lines.lines(), told)
    }
  })

  it("are reported at once unless a secret may go on, and in the end in any case", () => {
    const tail = StderrTail.make(secrets)
    assert.deepEqual(tail.push(bytes("ready\ntiger\n")), ["ready", hidden])
    assert.deepEqual(tail.push(bytes(`it was ${secret}\n`)), [`it was ${hidden}`])
    assert.deepEqual(tail.push(bytes(`it was ${secret.slice(0, 9)}\n`)), [])
    assert.deepEqual(tail.end(), [`it was ${secret.slice(0, 9)}`])
  })

  it("hold no beginning of a secret where a long line is cut", () => {
    for (const at of [8_180, 8_185, 8_192, 16_375, 16_383]) {
      const tail = StderrTail.make(secrets)
      tail.push(bytes(`${"x".repeat(at)}${secret}${"y".repeat(30_000)}\n`))
      assert.notInclude(tail.lines().join(), secret.slice(0, 4))
    }
  })
})
