import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import { assert, describe, test } from "vitest"
import { choiceOf, firstOf, isOutside, offeredSettings, valueWords } from "../src/composer/settingOrder.ts"
import { fitting } from "../src/composer/useFitting.ts"
import { unanswered } from "../src/composer/useSettingChange.ts"

const select = (id: string, category?: string, value = "b"): SessionSetting => ({
  type: "select",
  id,
  name: id,
  ...(category !== undefined && { category }),
  value,
  groups: [{ name: "One", choices: [{ value: "a", name: "A" }] }, { choices: [{ value: "b", name: "Bee" }] }]
})

describe("what of a session’s settings is offered", () => {
  test("the agent’s order stands, and what belongs to the model goes beside it", () => {
    const settings = [select("temper"), select("m", "model"), select("e", "thought_level"), select("f", "model_config")]
    assert.deepStrictEqual(
      offeredSettings(settings).map(({ id }) => id),
      ["temper", "m", "f", "e"]
    )
  })

  test("without a model nothing moves; unknown categories are as good as none", () => {
    const settings = [select("f", "model_config"), select("x", "_mine"), select("y")]
    assert.deepStrictEqual(
      offeredSettings(settings).map(({ id }) => id),
      ["f", "x", "y"]
    )
  })

  test("kinds that we don’t know are not offered, nor a second setting under one id", () => {
    const unknown: SessionSetting = { type: "unknown", id: "u", name: "u", raw: "{}" }
    assert.deepStrictEqual(
      offeredSettings([unknown, select("m", "mode"), select("m", "mode")]).map(({ id }) => id),
      ["m"]
    )
  })

  test("the first of a category stands for it", () => {
    const offered = offeredSettings([select("one", "mode"), select("two", "mode")])
    assert.strictEqual(firstOf(offered, "mode")?.id, "one")
    assert.isUndefined(firstOf(offered, "model"))
  })

  test("a value is shown by its name, and one that is not on offer as it is", () => {
    const [setting] = offeredSettings([select("m")])
    assert.isDefined(setting)
    assert.strictEqual(choiceOf(setting, "b")?.name, "Bee")
    assert.strictEqual(valueWords(setting, "b"), "Bee")
    assert.strictEqual(valueWords(setting, "gone"), "gone")
    assert.strictEqual(valueWords(setting, undefined), "not reported")
    assert.isTrue(isOutside(setting, "gone"))
    assert.isFalse(isOutside(setting, "b"))
    assert.isFalse(isOutside(setting, undefined))
  })
})

describe("what of a person’s choices the agent has not answered", () => {
  const first = { settingId: "m", value: "a" }
  const second = { settingId: "m", value: "b" }

  test("an answer is that to the oldest", () => {
    assert.deepStrictEqual(unanswered([first, second], [select("m", undefined, "a")]), [second])
    assert.deepStrictEqual(unanswered([first, second], []), [second])
  })

  test("of answers that come together only the last is seen, and none is waited for any longer", () =>
    assert.deepStrictEqual(unanswered([first, second], [select("m")]), []))
})

describe("what has room in a row", () => {
  test("all of it, as long as all of it fits", () => assert.strictEqual(fitting([50, 50], 60, 102), 2))
  test("the first ones beside the way to the rest", () => assert.strictEqual(fitting([50, 50, 50], 40, 150), 2))
  test("one at least", () => assert.strictEqual(fitting([200, 50], 60, 100), 1))
  test("nothing, of nothing", () => assert.strictEqual(fitting([], 60, 100), 0))
})
