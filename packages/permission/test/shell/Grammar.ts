/**
 * Hostile lines for a shell, made of choices. All that they run are the names `a` to `h` and harmless builtins. Files that they write are
 * called `q0`, in folders `d`, `e` and `d/e`. Loops end, and functions don't call themselves.
 */
import type { Choices } from "./Choices.ts"
import { letters, plainWords, expansions, tameExpansions, operators, tameBuiltins, builtins, signs } from "./Pieces.ts"

/** Two lines of three hold little of which a reading has to say that it can't be seen through. */
export const line = (choices: Choices, mayMutate: boolean): string => {
  choices.isWild = choices.below(3) === 2
  const lists = [list(choices, 3)]
  while (lists.length < 3 && choices.below(3) > 0) lists.push(list(choices, 3))
  const text = lists.join(choices.one(["; ", "\n", " && ", " || ", " & ", " | "]))
  return mayMutate && choices.below(3) === 2 ? mutated(text, choices) : text
}

const separators = ["; ", " && ", " || ", "\n", " & ", " | ", " |& ", ";", "&&", "|", " \\\n; "]

const list = (choices: Choices, depth: number): string => {
  let text = statement(choices, depth)
  while (!choices.isOver && choices.below(4) === 3) text += choices.one(separators) + statement(choices, depth)
  return text
}

const statement = (choices: Choices, depth: number): string => {
  if (depth <= 0 || choices.isOver) return simple(choices, 0)
  const inner = () => list(choices, depth - 1)
  switch (choices.below(32)) {
    case 12:
      return `(${inner()})`
    case 13:
      return `{ ${inner()}; }`
    case 14:
      return `if ${inner()}; then ${inner()}; else ${inner()}; fi`
    case 15:
      return `while ${inner()}; do ${inner()}; break; done`
    case 16:
      return `for ${choices.isWild ? choices.one(["n", "PATH", "IFS"]) : "n"} in ${word(choices, depth)} ${word(choices, depth)}; do ${inner()}; done`
    case 17:
      return `case ${word(choices, depth)} in ${word(choices, depth)}) ${inner()} ;; *) ${inner()};; esac`
    case 18:
      return `zz() { ${inner()}; }; zz ${word(choices, depth)}`
    case 19:
      return `coproc ${simple(choices, depth - 1)}`
    case 20:
      return `time ${simple(choices, depth - 1)}`
    case 21:
      return `! ${inner()}`
    case 22:
      return `[[ ${test(choices, depth)} ]]`
    case 23:
      if (!choices.isWild) return simple(choices, depth)
      return `((${choices.one(["1", "x", "w[1]", "n=1", "a)", "1 > 0", "$(a)", "`a`"])}))`
    case 24:
      return heredoc(choices, depth)
    case 25:
      return `${inner()} # ${inner()}`
    case 26:
      return `{ ${inner()}; } ${redirection(choices, depth)}`
    case 27:
      return `(${inner()}) ${redirection(choices, depth)}`
    case 28:
      return assignment(choices, depth)
    case 29:
      if (!choices.isWild) return simple(choices, depth)
      return `((${inner()}) ${choices.one(["", "; b"])})`
    case 30:
      if (!choices.isWild) return simple(choices, depth)
      return `for ((n=0;n<1;n++)); do ${inner()}; done`
    case 31:
      return `function zz { ${inner()}; }; zz`
    default:
      return simple(choices, depth)
  }
}

const simple = (choices: Choices, depth: number): string => {
  const words: Array<string> = []
  while (!choices.isOver && choices.below(8) === 7) words.push(assignment(choices, depth))
  words.push(name(choices, depth))
  while (words.length < 7 && choices.below(3) > 0)
    words.push(choices.below(6) === 5 ? redirection(choices, depth) : word(choices, depth))
  return words.join(choices.below(12) === 11 ? "\t" : " ")
}

const name = (choices: Choices, depth: number): string => {
  const letter = choices.one(letters)
  switch (choices.below(24)) {
    case 10:
      return `\\${letter}`
    case 11:
      return `'${letter}'`
    case 12:
      return `"${letter}"`
    case 13:
      return `''${letter}`
    case 14:
      return `$'\\x6${letters.indexOf(letter) + 1}'`
    case 15:
      return `${letter}\\\n`
    case 16:
    case 17:
    case 18:
    case 19:
    case 20:
      return choices.one(choices.isWild ? builtins : tameBuiltins)
    case 21:
      return choices.isWild ? word(choices, depth) : letter
    case 22:
      if (!choices.isWild) return letter
      return choices.one(["$x", "{a,b}", "~", "$n a", '"$@"', "${n:-a}", "[a]", "?"])
    case 23:
      return choices.isWild ? substitution(choices, depth) : letter
    default:
      return letter
  }
}

const word = (choices: Choices, depth: number): string => {
  let text = piece(choices, depth)
  while (!choices.isOver && choices.below(4) === 3) text += piece(choices, depth)
  return text
}

const piece = (choices: Choices, depth: number): string => {
  switch (choices.below(16)) {
    case 8:
      return choices.one(choices.isWild ? expansions : tameExpansions)
    case 9:
    case 10:
      return substitution(choices, depth)
    case 11:
      return `"${piece(choices, depth)}"`
    case 12:
      return `"${piece(choices, depth)} ${choices.one(choices.isWild ? expansions : tameExpansions)}"`
    case 13:
      return `\${${choices.one(["x", "n", "w"])}${choices.one(operators)}${piece(choices, depth - 1)}}`
    case 14:
      return `{${piece(choices, depth - 1)},${piece(choices, depth - 1)}}`
    case 15:
      if (!choices.isWild) return choices.one(plainWords)
      return `${choices.one(["[", "$((", "$[", "@(", "!(", "=(", "~"])}${depth > 0 ? piece(choices, depth - 1) : ""}${choices.one(["]", "))", ")", ""])}`
    default:
      return choices.one(plainWords)
  }
}

const substitution = (choices: Choices, depth: number): string => {
  const inner = depth <= 0 || choices.isOver ? choices.one(letters) : list(choices, depth - 1)
  const tame = [`$(${inner})`, `\`${inner}\``, `<(${inner})`, `$( ${inner}\n)`, `$(${inner} #)\n)`, `>(${inner})`]
  if (!choices.isWild) return choices.one(tame)
  return choices.one([...tame, `\${ ${inner}; }`, `$((${inner}))`, `$((${inner}) )`, `$(<q)`])
}

const assignment = (choices: Choices, depth: number): string =>
  `${choices.one(choices.isWild ? ["n", "x", "w[0]", "w[x]", "n+", "PATH", "IFS", "A_B"] : ["n", "x", "w[0]", "n+", "A_B"])}=${choices.one(
    ["", "1", word(choices, depth - 1), `(${word(choices, depth - 1)})`]
  )}`

const redirection = (choices: Choices, depth: number): string =>
  choices.one([
    "> q0",
    "2>&1",
    ">/dev/null",
    "< q0",
    ">> q0",
    "&> q0",
    "<> q0",
    ">| d/q0",
    "> d/../q0x",
    ">&2",
    "{n}> q0",
    "2>&-",
    "> 'q0 y'",
    "> q0$n",
    `<<< ${word(choices, depth - 1)}`,
    `< <(${choices.one(letters)})`,
    `> >(${choices.one(letters)})`,
    "&>> q0 x",
    ">& q0"
  ])

const test = (choices: Choices, depth: number): string => {
  const one = word(choices, depth - 1)
  const other = word(choices, depth - 1)
  return choices.one([
    one,
    `-n ${one}`,
    `${one} == ${other}`,
    `${one} -eq 1`,
    `-v ${one}`,
    `${one} =~ ${other}`,
    `! ${one} || -f ${other}`,
    `( ${one} ) && ${other}`,
    `${one} < ${other}`,
    `a && b`
  ])
}

const heredoc = (choices: Choices, depth: number): string => {
  const delimiter = choices.one(["E", "'E'", "\\E", '"E"', "E\\\n", "E-1", "$x"])
  const end = choices.one(["E", "E ", "E-1", "$x", "\tE"])
  const body = `${piece(choices, depth - 1)} ${substitution(choices, depth - 1)}\n${piece(choices, depth - 1)}`
  const [before, after] = choices.one([
    ["a <<", ""],
    ["a <<-", ""],
    ["a <<", " | b"],
    ["b <<", " && c; d"],
    ["a $(b <<", ""],
    ["a <<", " > q0 $(c)"]
  ])
  return `${before}${delimiter}${after}\n${body}\n${end}\n${before.includes("$(") ? ")" : choices.one(letters)}`
}

/** A sign put in or a character left out, at a few places. */
const mutated = (text: string, choices: Choices): string => {
  let changed = text
  for (let times = choices.below(3); times >= 0; times -= 1) {
    const at = choices.below(changed.length + 1)
    changed =
      choices.below(2) === 0
        ? changed.slice(0, at) + choices.one(signs) + changed.slice(at)
        : changed.slice(0, at) + changed.slice(at + 1)
  }
  return changed
}
