/** Words of foreign text that would steer a terminal, and what finds one that is left. */
import { assert } from "@effect/vitest"

export const steering = [
  "\u001b]52;c;cm0gLXJm\u0007",
  "\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\",
  "\u009d0;title\u009c",
  "\u009b2J",
  "\u001b[8m",
  "\u001bP1$r0m\u001b\\",
  "\r\u001b[A\u001b[2Kerased",
  "\u0008\u0008\u0000\u007f\u0085",
  "\u202egpj.exe\u2066",
  "\n✓ $ forged line\u001b"
] as const

/** What is ours: the styles of `Ink`, as they are written. */
// eslint-disable-next-line no-control-regex -- these are what may be there
const styles = /\u001b\[(?:1|2|22|31|32|33|39)m/g
// eslint-disable-next-line no-control-regex -- these are what must not be there
const steers = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

export const assertSafe = (written: string): void => {
  const found = steers.exec(written.replace(styles, ""))
  assert.isNull(found, JSON.stringify(written))
}
