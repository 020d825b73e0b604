/**
 * Markers that show which turn a text belongs to. A garbled byte can turn one turn's marker into another's. So each
 * marker carries a checksum, and one with a wrong checksum belongs to no turn.
 */
import { mixed } from "@signalbox/stand-in-agents/chaos/Treatment"

export const make = (seed: number, life: number, turn: number): string => {
  const name = `s${seed}.l${life}.t${turn}`
  return `<${name}.${checksum(name)}>`
}

/** The markers in a text whose checksums are right. */
export const allIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(whole)].flatMap(([marker, name = "", sum]) => (sum === checksum(name) ? [marker] : []))

const whole = /<(s\d+\.l\d+\.t\d+)\.([0-9a-f]{8})>/g

const checksum = (name: string): string =>
  mixed(...Array.from(name, (character) => character.charCodeAt(0)))
    .toString(16)
    .padStart(8, "0")

/** Whether these bytes contain words of this seed's thread. The beginning of a marker is enough, since its rest may be stored elsewhere. */
export const standsIn = (bytes: Buffer, seed: number): boolean => {
  const beginning = `<s${seed}.l`
  for (let at = bytes.indexOf(beginning); at !== -1; at = bytes.indexOf(beginning, at + 1)) {
    const text = bytes.toString("latin1", at, at + longest)
    if (!text.match(whole)?.some((marker) => text.startsWith(marker))) return true
    if (allIn(text).some((marker) => text.startsWith(marker))) return true
  }
  return false
}

const longest = 64
