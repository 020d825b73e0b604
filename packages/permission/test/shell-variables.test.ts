/** Variables with capital letters: which of them are known to change nothing that runs. */
import { assert, describe, it } from "@effect/vitest"
import * as ShellLine from "../src/shell/ShellLine.ts"

const open = String.raw`CI=1 npm test
CI='true' FORCE_COLOR=0 a
NO_COLOR= a
PYTHONUNBUFFERED=1 RUST_LOG=core=debug,http=off a
GIT_PAGER=cat LC_ALL=C git log
export NODE_ENV=test
export CI=1 x=2
while IFS= read -r x; do a; done
IFS=, read -r x y`

const closed = String.raw`FOO=1 a
Foo=1 a
FOO=1
export FOO
export FOO=1
FOO+=1 a
CI=$x a
CI=1x a
CI+=1 a
CI[0]=1 a
CI=(1)
export CI
export CI="$x"
export CI+=1
NODE_ENV=production npm test
LC_ALL=ja_JP.SJIS a
RUST_LOG='a b' c
RUST_LOG=$(a) b
GIT_PAGER='sh -c id' git log
PAGER=less a
IFS= a
IFS=
IFS= ./read x
IFS= "re"ad x
http_proxy=x a
npm_config_prefix=x a
path=x a
read CI
for CI in 1; do a; done
a ${"$"}{FOO:=1}`

describe("A variable with a capital letter", () => {
  it.each(open.split("\n"))("changes nothing in %s", (line) => {
    assert.deepStrictEqual(ShellLine.read(line).obstacles, [])
  })

  it.each(closed.split("\n"))("may change what runs in %s", (line) => {
    const { obstacles } = ShellLine.read(line)
    assert.isTrue(
      obstacles.some(({ why }) => /^(?:changes what runs|may change what a program does)$/.test(why)),
      JSON.stringify(obstacles)
    )
  })
})
