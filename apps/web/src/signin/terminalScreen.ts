/** A terminal in memory: takes a program's output, and returns its screen. */
import { type IBufferCell, type IBufferLine, Terminal } from "@xterm/headless"
import { type AnsiStyle, paletteColour } from "../text/ansi.ts"

export interface ScreenRun {
  readonly text: string
  readonly style: AnsiStyle & { readonly inverse?: true }
}

/** A line of the screen, without blanks at its end. */
export type ScreenLine = ReadonlyArray<ScreenRun>

export interface TerminalScreen {
  /** All lines, including those that have scrolled off, as far as they are kept. */
  readonly lines: () => ReadonlyArray<ScreenLine>
  readonly write: (data: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** The modes that decide what keys send to this program: other codes for arrows, and marks around a paste. */
  readonly modes: () => { readonly applicationCursor: boolean; readonly bracketedPaste: boolean }
  readonly dispose: () => void
}

/** Most lines that are kept above the screen. */
const scrollback = 500

export const makeTerminalScreen = (options: {
  readonly columns: number
  readonly rows: number
  /** Called when the screen has changed. */
  readonly onChange: () => void
  /** Called when the terminal answers a question of the program. */
  readonly onAnswer: (data: string) => void
}): TerminalScreen => {
  const terminal = new Terminal({ cols: options.columns, rows: options.rows, scrollback, allowProposedApi: true })
  terminal.onWriteParsed(options.onChange)
  terminal.onResize(options.onChange)
  terminal.onData(options.onAnswer)
  const spare = terminal.buffer.active.getNullCell()
  return {
    lines: () => {
      const buffer = terminal.buffer.active
      const cursor = { x: buffer.cursorX, y: buffer.baseY + buffer.cursorY }
      const lines = Array.from({ length: buffer.length }, (_, y) => {
        const line = buffer.getLine(y)
        return line === undefined ? [] : runsOf(line, spare, y === cursor.y ? cursor.x : undefined)
      })
      const last = lines.findLastIndex((line) => line.length > 0)
      return lines.slice(0, last + 1)
    },
    write: (data) => terminal.write(data),
    resize: (columns, rows) => terminal.resize(columns, rows),
    modes: () => ({
      applicationCursor: terminal.modes.applicationCursorKeysMode,
      bracketedPaste: terminal.modes.bracketedPasteMode
    }),
    dispose: () => terminal.dispose()
  }
}

const runsOf = (line: IBufferLine, spare: IBufferCell, cursor: number | undefined): ScreenLine => {
  const runs: Array<{ text: string; style: ScreenRun["style"] }> = []
  const end = Math.max(cursor === undefined ? 0 : cursor + 1, line.translateToString(true).length)
  for (let x = 0; x < Math.min(end, line.length); x++) {
    const cell = line.getCell(x, spare)
    // This cell is the second half of a wide character.
    if (cell === undefined || cell.getWidth() === 0) continue
    const style = styleOf(cell, x === cursor)
    const text = cell.isInvisible() || cell.getChars() === "" ? " " : cell.getChars()
    const last = runs.at(-1)
    if (last && sameStyle(last.style, style)) last.text += text
    else runs.push({ text, style })
  }
  return runs
}

const styleOf = (cell: IBufferCell, cursor: boolean): ScreenRun["style"] => {
  const colour = cell.isFgPalette() ? paletteColour(cell.getFgColor()) : undefined
  const inverse = cursor !== (cell.isInverse() !== 0)
  return {
    ...(colour !== undefined && { colour }),
    ...(cell.isBold() !== 0 && { bold: true as const }),
    ...(cell.isDim() !== 0 && { dim: true as const }),
    ...(cell.isUnderline() !== 0 && { underline: true as const }),
    ...(inverse && { inverse: true as const })
  }
}

const sameStyle = (a: ScreenRun["style"], b: ScreenRun["style"]): boolean =>
  a.colour === b.colour &&
  a.bold === b.bold &&
  a.dim === b.dim &&
  a.underline === b.underline &&
  a.inverse === b.inverse
