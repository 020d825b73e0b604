// Loaded when a terminal is first needed: the emulation is larger than a first page should be.
import type { TerminalSize } from "@signalbox/contracts/SignIn"
import { useEffect, useEffectEvent, useRef, useState } from "react"
import { StyledRun } from "../text/StyledRun.tsx"
import styles from "./SignInTerminal.module.css"
import { bytesOf, pasted } from "./terminalKeys.ts"
import { makeTerminalScreen, type ScreenLine, type TerminalScreen } from "./terminalScreen.ts"

/** What a program prints, and where to send it keys. */
export interface TerminalLine {
  /** Calls back with all that was printed so far, and then with each piece. */
  readonly listen: (onOutput: (data: string) => void) => () => void
  readonly type: (data: string) => void
  readonly resize: (size: TerminalSize) => void
}

/** Rows of the screen; a phone has fewer columns than what programs expect. */
const rows = 16
const widest = 80

/** A real terminal, drawn as text. Keys go to the program; Shift Tab leaves it. */
export default function SignInTerminal(props: { readonly label: string; readonly line: TerminalLine }) {
  const { label, line } = props
  const [shown, setShown] = useState<ReadonlyArray<ScreenLine>>([])
  const screen = useRef<TerminalScreen>(undefined)
  const box = useRef<HTMLPreElement>(null)
  const ruler = useRef<HTMLSpanElement>(null)
  const keys = useRef<HTMLTextAreaElement>(null)

  const fit = useEffectEvent(() => {
    const width = ruler.current?.getBoundingClientRect().width ?? 0
    if (box.current === null || width === 0) return
    const room = box.current.clientWidth - 20
    const columns = Math.max(20, Math.min(widest, Math.floor(room / (width / 10))))
    screen.current?.resize(columns, rows)
    line.resize({ columns, rows })
  })
  useEffect(() => {
    let drawing = 0
    const made = makeTerminalScreen({
      columns: widest,
      rows,
      onAnswer: line.type,
      onChange: () => {
        cancelAnimationFrame(drawing)
        drawing = requestAnimationFrame(() => setShown(made.lines()))
      }
    })
    screen.current = made
    const observer = new ResizeObserver(() => fit())
    if (box.current) observer.observe(box.current)
    const unlisten = line.listen(made.write)
    keys.current?.focus()
    return () => {
      cancelAnimationFrame(drawing)
      unlisten()
      observer.disconnect()
      made.dispose()
    }
  }, [line])
  useEffect(() => {
    if (shown.length > 0) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [shown])

  return (
    <div className={styles["terminal"]}>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the field below has the keys */}
      <pre ref={box} className={`well ${styles["screen"]}`} onClick={() => keys.current?.focus()}>
        <span ref={ruler} className={styles["ruler"]} aria-hidden="true">
          0000000000
        </span>
        {shown.map((runs, y) => (
          // eslint-disable-next-line react/no-array-index-key -- lines of a screen are their places
          <div key={y}>
            {runs.length === 0
              ? "\n"
              : runs.map(({ style, text }, x) => (
                  // eslint-disable-next-line react/no-array-index-key -- and so are runs
                  <StyledRun key={x} style={style}>
                    {text}
                  </StyledRun>
                ))}
          </div>
        ))}
      </pre>
      <textarea
        ref={keys}
        className={styles["keys"]}
        aria-label={label}
        rows={1}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          // Ctrl C with something marked copies it, as everywhere.
          if (event.ctrlKey && event.key === "c" && getSelection()?.isCollapsed === false) return
          const bytes = bytesOf(event, screen.current?.modes().applicationCursor ?? false)
          if (bytes === undefined) return
          event.preventDefault()
          event.stopPropagation()
          line.type(bytes)
        }}
        onInput={(event) => {
          const field = event.currentTarget
          if (event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing) return
          line.type(field.value)
          field.value = ""
        }}
        onCompositionEnd={(event) => {
          line.type(event.currentTarget.value)
          event.currentTarget.value = ""
        }}
        onPaste={(event) => {
          event.preventDefault()
          line.type(pasted(event.clipboardData.getData("text/plain"), screen.current?.modes().bracketedPaste ?? false))
        }}
      />
      <p className="meta">
        What you type goes to the program. <kbd>Shift Tab</kbd> leaves the terminal.
      </p>
    </div>
  )
}
