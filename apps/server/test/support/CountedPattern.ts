/**
 * Regular expressions as a backtracking machine runs them, with every step counted: time depends on the machine, steps do not. It knows
 * what our patterns over foreign text use, and refuses all else.
 */

type Instruction =
  | { readonly op: "one"; readonly fits: (code: number) => boolean }
  | { readonly op: "assert"; readonly holds: (text: string, at: number) => boolean }
  | { readonly op: "look"; readonly program: Program; readonly ahead: boolean; readonly wanted: boolean }
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  /** Ends a round of a loop that matched nothing. */
  | { readonly op: "mark"; readonly slot: number }
  | { readonly op: "moved"; readonly slot: number }
  | { readonly op: "match" }

type Program = ReadonlyArray<Instruction>

type Node =
  | { readonly type: "one"; readonly fits: (code: number) => boolean }
  | { readonly type: "assert"; readonly holds: (text: string, at: number) => boolean }
  | { readonly type: "look"; readonly node: Node; readonly ahead: boolean; readonly wanted: boolean }
  | { readonly type: "all"; readonly nodes: ReadonlyArray<Node> }
  | { readonly type: "any"; readonly nodes: ReadonlyArray<Node> }
  | {
      readonly type: "repeat"
      readonly node: Node
      readonly least: number
      readonly most: number
      readonly lazy: boolean
    }

export interface Counted {
  /** Steps to find all matches in a text, one behind the other, as `matchAll` does; stops at `limit`. */
  readonly steps: (text: string, limit: number) => number
  /** The place of the first match. */
  readonly exec: (text: string) => { readonly index: number; readonly end: number } | undefined
}

export const make = ({ flags, source }: RegExp): Counted => {
  let slots = 0
  const node = parse(source, flags)
  const compileAll = (root: Node, backwards: boolean): Program => {
    const program: Array<Instruction> = []
    const emit = (instruction: Instruction): number => program.push(instruction) - 1
    const compile = (each: Node): void => {
      switch (each.type) {
        case "one":
          emit({ op: "one", fits: each.fits })
          return
        case "assert":
          emit({ op: "assert", holds: each.holds })
          return
        case "look":
          emit({ op: "look", program: compileAll(each.node, !each.ahead), ahead: each.ahead, wanted: each.wanted })
          return
        case "all":
          for (const part of backwards ? each.nodes.toReversed() : each.nodes) compile(part)
          return
        case "any": {
          const ends: Array<{ op: "jump"; to: number }> = []
          for (const [index, part] of each.nodes.entries()) {
            const last = index === each.nodes.length - 1
            const split = { op: "split" as const, first: 0, second: 0 }
            if (!last) split.first = emit(split) + 1
            compile(part)
            if (last) continue
            const end = { op: "jump" as const, to: 0 }
            emit(end)
            ends.push(end)
            split.second = program.length
          }
          for (const end of ends) end.to = program.length
          return
        }
        case "repeat": {
          for (let count = 0; count < each.least; count += 1) compile(each.node)
          const splits: Array<{ first: number; second: number; op: "split" }> = []
          const enter = () => {
            const split = { op: "split" as const, first: 0, second: 0 }
            splits.push(split)
            return emit(split)
          }
          if (each.most === Infinity) {
            const slot = (slots += 1)
            const begin = enter()
            emit({ op: "mark", slot })
            compile(each.node)
            emit({ op: "moved", slot })
            emit({ op: "jump", to: begin })
            patch(splits, [begin + 1], program.length, each.lazy)
          } else {
            const inside: Array<number> = []
            for (let count = each.least; count < each.most; count += 1) {
              inside.push(enter() + 1)
              compile(each.node)
            }
            patch(splits, inside, program.length, each.lazy)
          }
        }
      }
    }
    compile(root)
    emit({ op: "match" })
    return program
  }
  const program = compileAll(node, false)

  const from = (text: string, start: number, count: () => void): number => run(program, text, start, true, count)
  return {
    exec: (text) => {
      for (let index = 0; index <= text.length; index += 1) {
        const end = from(text, index, () => {})
        if (end !== -1) return { index, end }
      }
      return undefined
    },
    steps: (text, limit) => {
      let steps = 0
      const count = () => {
        steps += 1
        if (steps > limit) throw limitReached
      }
      try {
        for (let at = 0; at <= text.length;) {
          const end = from(text, at, count)
          at = end > at ? end : at + 1
        }
      } catch (error) {
        if (error !== limitReached) throw error
      }
      return steps
    }
  }
}

/** A text that the pattern takes. Every loop is gone through at least once, and no more often than it must. */
export const sampleOf = ({ flags, source }: RegExp): string => {
  const write = (node: Node): string => {
    switch (node.type) {
      case "one":
        return Array.from(candidates).find((character) => node.fits(character.charCodeAt(0))) ?? ""
      case "assert":
        return ""
      case "look":
        return node.wanted && !node.ahead ? write(node.node) : ""
      case "all":
        return node.nodes.map(write).join("")
      case "any":
        return write(node.nodes[0] ?? { type: "all", nodes: [] })
      case "repeat":
        return write(node.node).repeat(Math.max(node.most === 0 ? 0 : 1, Math.min(node.least, 40)))
    }
  }
  return write(parse(source, flags))
}

const candidates =
  Array.from({ length: 126 - 33 }, (_, code) => String.fromCharCode(126 - code)).join("") + " \n\t\u001b\u202e"

const limitReached = new RangeError("More steps than were allowed")

const patch = (
  splits: ReadonlyArray<{ first: number; second: number }>,
  inside: ReadonlyArray<number>,
  behind: number,
  lazy: boolean
): void => {
  for (const [index, split] of splits.entries()) {
    const into = inside[index] ?? behind
    split.first = lazy ? behind : into
    split.second = lazy ? into : behind
  }
}

/** The end of the match, or -1. */
const run = (program: Program, text: string, start: number, forward: boolean, count: () => void): number => {
  const stack: Array<number> = [0, start]
  const marks = new Map<number, number>()
  while (stack.length > 0) {
    let at = stack.pop() ?? 0
    let pc = stack.pop() ?? 0
    walk: for (;;) {
      count()
      const instruction = program[pc]
      if (instruction === undefined) throw new RangeError("No such instruction")
      switch (instruction.op) {
        case "match":
          return at
        case "one": {
          const place = forward ? at : at - 1
          if (place < 0 || place >= text.length || !instruction.fits(text.charCodeAt(place))) break walk
          at += forward ? 1 : -1
          pc += 1
          break
        }
        case "assert":
          if (!instruction.holds(text, at)) break walk
          pc += 1
          break
        case "look":
          if ((run(instruction.program, text, at, instruction.ahead, count) !== -1) !== instruction.wanted) break walk
          pc += 1
          break
        case "split":
          stack.push(instruction.second, at)
          pc = instruction.first
          break
        case "jump":
          pc = instruction.to
          break
        case "mark":
          marks.set(instruction.slot, at)
          pc += 1
          break
        case "moved":
          if (marks.get(instruction.slot) === at) break walk
          pc += 1
      }
    }
  }
  return -1
}

const isWordAt = (text: string, at: number): boolean => /\w/.test(text.charAt(at))

const parse = (source: string, flags: string): Node => {
  const multiline = flags.includes("m")
  const unicode = flags.includes("u") || flags.includes("v")
  let at = 0
  const peek = () => source.charAt(at)
  const eat = (token: string): boolean => {
    if (!source.startsWith(token, at)) return false
    at += token.length
    return true
  }

  /** The language itself says what a class or an escape stands for. */
  const one = (text: string): Node => {
    const pattern = new RegExp(`^(?:${text})$`, flags.replaceAll(/[gymds]/g, "") + (flags.includes("s") ? "s" : ""))
    const known = new Map<number, boolean>()
    return {
      type: "one",
      fits: (code) => {
        let fits = known.get(code)
        if (fits === undefined) known.set(code, (fits = pattern.test(String.fromCharCode(code))))
        return fits
      }
    }
  }

  const any = (): Node => {
    const nodes = [all()]
    while (eat("|")) nodes.push(all())
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { type: "any", nodes }
  }

  const all = (): Node => {
    const nodes: Array<Node> = []
    while (at < source.length && peek() !== "|" && peek() !== ")") nodes.push(repeated(atom()))
    return { type: "all", nodes }
  }

  const repeated = (node: Node): Node => {
    const bounds = /^(?:([*+?])|\{(\d+)(,(\d*))?\})(\??)/.exec(source.slice(at))
    if (bounds === null) return node
    const [whole, sign, least, more, most, lazy] = bounds
    at += whole.length
    const lower = sign === undefined ? Number(least) : sign === "+" ? 1 : 0
    const upper =
      sign === "?"
        ? 1
        : sign !== undefined
          ? Infinity
          : more === undefined
            ? lower
            : most === ""
              ? Infinity
              : Number(most)
    return { type: "repeat", node, least: lower, most: upper, lazy: lazy === "?" }
  }

  const group = (): Node => {
    const look = /^\?(<?)([=!])/.exec(source.slice(at))
    if (look !== null) at += look[0].length
    else if (!eat("?:")) {
      const named = /^\?<\w+>/.exec(source.slice(at))
      if (named !== null) at += named[0].length
      else if (peek() === "?") throw new SyntaxError(`A group that is not known: ${source.slice(at)}`)
    }
    const node = any()
    if (!eat(")")) throw new SyntaxError(`A group without end: ${source}`)
    return look === null ? node : { type: "look", node, ahead: look[1] === "", wanted: look[2] === "=" }
  }

  const atom = (): Node => {
    if (eat("(")) return group()
    if (eat("^"))
      return { type: "assert", holds: (text, place) => place === 0 || (multiline && text[place - 1] === "\n") }
    if (eat("$")) {
      return { type: "assert", holds: (text, place) => place === text.length || (multiline && text[place] === "\n") }
    }
    if (eat("\\b"))
      return { type: "assert", holds: (text, place) => isWordAt(text, place) !== isWordAt(text, place - 1) }
    if (eat("\\B"))
      return { type: "assert", holds: (text, place) => isWordAt(text, place) === isWordAt(text, place - 1) }
    const begin = at
    if (eat("[")) {
      for (let depth = 1; depth > 0; at += 1) {
        if (at >= source.length) throw new SyntaxError(`A class without end: ${source}`)
        if (peek() === "\\") at += 1
        else if (peek() === "]") depth -= 1
        else if (peek() === "[" && flags.includes("v")) depth += 1
      }
    } else if (eat("\\")) {
      const escape = /^(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]+\}|[^1-9k])/i.exec(source.slice(at))
      if (escape === null) throw new SyntaxError(`An escape that is not known: ${source.slice(begin)}`)
      at += escape[0].length
    } else at += unicode ? String.fromCodePoint(source.codePointAt(at) ?? 0).length : 1
    return one(source.slice(begin, at))
  }

  const node = any()
  if (at < source.length) throw new SyntaxError(`Not read to its end: ${source}`)
  return node
}
