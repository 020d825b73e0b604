/** The exact command line of a declared server, so that nothing in it can hide. */
import type { ServerDeclaration } from "../knowledge/Metadata.ts"

const plain = /^[A-Za-z0-9_./:=@,+-]+$/

/** A plain word as it is. Any other is quoted as in JSON, with escapes for what is not ASCII. */
const wordOf = (word: string): string =>
  plain.test(word)
    ? word
    : JSON.stringify(word).replace(
        /[^ -~]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
      )

/** Variables first, then the program and its arguments. */
export const of = ({ args, command, env }: ServerDeclaration): string =>
  [...Object.entries(env).map(([name, value]) => `${name}=${wordOf(value)}`), ...[command, ...args].map(wordOf)].join(
    " "
  )
