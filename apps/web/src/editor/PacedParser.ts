/**
 * A parser that stays out of the way of typing. A change may give the rest of the file another meaning. CodeMirror then parses for up to
 * 20 ms within the keystroke. This one reads what is on the screen. What takes longer is left to CodeMirror's own work in idle time.
 */
import { Language, LanguageSupport, ParseContext } from "@codemirror/language"
import type { EditorState } from "@codemirror/state"
import { type Input, Parser, type PartialParse, type Tree, type TreeFragment } from "@lezer/common"

/** Milliseconds after which a keystroke reads no further than the screen. */
const budget = 1

interface Range {
  readonly from: number
  readonly to: number
}

class PacedParser extends Parser {
  readonly #parser: Parser
  readonly #now: () => number
  /** States that were read once: in the keystroke. What is read of them afterwards is read in idle time. */
  readonly #read = new WeakSet<EditorState>()

  constructor(parser: Parser, now: () => number = () => performance.now()) {
    super()
    this.#parser = parser
    this.#now = now
  }

  override createParse(
    input: Input,
    fragments: ReadonlyArray<TreeFragment>,
    ranges: ReadonlyArray<Range>
  ): PartialParse {
    const parse = this.#parser.createParse(input, fragments, ranges)
    const context = ParseContext.get()
    if (context === null || this.#read.has(context.state)) return parse
    this.#read.add(context.state)
    const until = this.#now() + budget
    return new PacedParse(parse, input, context.viewport.to, () => this.#now() > until)
  }
}

/** A place after which nothing is known. CodeMirror reads from there when it next parses. */
const unread = ParseContext.getSkippingParser()

class PacedParse implements PartialParse {
  readonly #parse: PartialParse
  readonly #input: Input
  readonly #screen: number
  readonly #isOver: () => boolean
  #stopped = false

  constructor(parse: PartialParse, input: Input, screen: number, isOver: () => boolean) {
    this.#parse = parse
    this.#input = input
    this.#screen = screen
    this.#isOver = isOver
  }

  get parsedPos(): number {
    return this.#parse.parsedPos
  }

  /** With a place here, CodeMirror would begin to parse again within the same keystroke. */
  get stoppedAt(): number | null {
    return this.#stopped ? null : this.#parse.stoppedAt
  }

  stopAt(pos: number): void {
    this.#parse.stopAt(pos)
  }

  advance(): Tree | null {
    const done = this.#parse.advance()
    const { parsedPos: pos, stoppedAt } = this.#parse
    const end = Math.min(this.#input.length, stoppedAt ?? Number.POSITIVE_INFINITY)
    if (done !== null || pos < this.#screen || pos >= end || !this.#isOver()) return done
    this.#parse.stopAt(pos)
    let tree = this.#parse.advance()
    while (tree === null) tree = this.#parse.advance()
    unread.startParse(this.#input, [], [{ from: pos, to: pos + 1 }]).advance()
    this.#stopped = true
    return tree
  }
}

/** Makes a language leave to idle time what takes long. */
export const paced = ({ language, support }: LanguageSupport, now?: () => number): LanguageSupport =>
  new LanguageSupport(new Language(language.data, new PacedParser(language.parser, now), [], language.name), support)
