import { assert, describe, it } from "@effect/vitest"
import * as Deadline from "../src/ide/Deadline.ts"

describe("a deadline", () => {
  it("is kept by what ends, and not by what never does", async () => {
    assert.isTrue(await Deadline.keeps(Promise.resolve(), 10_000))
    assert.isTrue(await Deadline.keeps(Promise.reject(new Error("It fails.")), 10_000))
    assert.isFalse(await Deadline.keeps(new Promise(() => {}), 1))
  })
})
