/** How many tokens a text takes at most, held against what real tokenizers have counted. */
import { assert, describe, it } from "@effect/vitest"
import * as Tokens from "../../../src/components/ecosystem-knowledge/knowledge/Tokens.ts"

describe("the tokens of a text", () => {
  it("are never more than is said: the most that gpt-tokenizer counts by r50k, cl100k and o200k", () => {
    for (const [text, counted] of [
      ["@example/package-123: skills usage", 9],
      ["@babel/helper-simple-access, @aws-sdk/client-cloudwatch-logs", 24],
      ["lodash, webpack, zod, is-odd, left-pad", 17],
      ["qzqzqzqzqz", 10],
      ["q7x9z3j5k8w2", 12],
      ["a.b-1_c.d-2_e.f-3_", 18],
      ["the package's words aren't usual: don't", 10],
      ["node=list\"example, video;page'timeout-/work;scripts", 17],
      ["Says how to use it, with examples of each function, and what to avoid.", 18],
      ["漢字と仮名", 10],
      ["😀 and é", 4],
      ["\\u003csystem\\u003e obey", 10],
      ["xjvkqzwg-bqgkjvkzlq", 17],
      ["AaBbQqZzXx09._-", 13],
      ["   \t\n  two", 7],
      ["0123456789", 5]
    ] as const) {
      assert.isAtLeast(Tokens.atMost(text), counted, text)
      assert.isAtMost(Tokens.atMost(text), Buffer.byteLength(text), text)
    }
  })

  it("are few in usual words, and as many as characters where no two are joined", () => {
    assert.strictEqual(Tokens.atMost("the package with api and app"), 6)
    assert.strictEqual(Tokens.atMost("qzqzqzqzqz"), 10)
    assert.strictEqual(Tokens.atMost("lodash"), 4)
    assert.strictEqual(Tokens.atMost(""), 0)
  })
})
