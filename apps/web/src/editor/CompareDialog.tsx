/** A conflict: what is on the disk, what is shown here, and what both were made from. Nothing is changed here. */
import { MergeView, unifiedMergeView } from "@codemirror/merge"
import { EditorState, type Text } from "@codemirror/state"
import { EditorView, lineNumbers } from "@codemirror/view"
import { useEffect, useRef, useState } from "react"
import { useMedia } from "../browser/useMedia.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { rootOf } from "./CodeView.tsx"
import type { Conflict } from "./documentState.ts"
import styles from "./EditorRoom.module.css"
import { nameOf } from "./FileTabs.tsx"
import { languageOf } from "./languages.ts"
import { toDoc } from "./lineEnds.ts"
import type { OpenDocument } from "./OpenDocument.ts"
import type { Side } from "./regions.ts"
import { look } from "./theme.ts"
import * as ThreeTexts from "./ThreeTexts.ts"

const names = { disk: "On the disk", base: "Before both changes", mine: "Yours, unsaved" } satisfies Record<
  Side,
  string
>

/** The texts that people compare: all three, or the second with the first. */
const views = {
  all: { name: "All three", shown: ["disk", "base", "mine"] },
  sides: { name: "Disk and yours", shown: ["disk", "mine"] },
  disk: { name: "Before and disk", shown: ["base", "disk"] },
  mine: { name: "Before and yours", shown: ["base", "mine"] }
} as const satisfies Record<string, { readonly name: string; readonly shown: ReadonlyArray<Side> }>
type View = keyof typeof views

const fixed = (side: Side, label: string = names[side]) => [
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ "aria-label": label }),
  look
]

/** Two texts beside each other, or in one column where there is no room for two. */
const showTwo = (
  parent: ShadowRoot,
  texts: Readonly<Record<Side, Text>>,
  [a, b]: readonly [Side, Side],
  isNarrow: boolean
): (() => void) => {
  const collapseUnchanged = { margin: 3, minSize: 6 }
  const side = (one: Side) => ({ doc: texts[one], extensions: [lineNumbers(), fixed(one)] })
  const both = `${names[a]}, and ${names[b].toLowerCase()}`
  const view = isNarrow
    ? new EditorView({
        doc: texts[b],
        parent,
        root: parent,
        extensions: [
          lineNumbers(),
          fixed(b, both),
          unifiedMergeView({ original: texts[a], mergeControls: false, gutter: true, collapseUnchanged })
        ]
      })
    : new MergeView({ a: side(a), b: side(b), parent, root: parent, collapseUnchanged })
  return () => view.destroy()
}

const showAll = (root: ShadowRoot, texts: Readonly<Record<Side, Text>>): (() => void) => {
  const parent = root.appendChild(document.createElement("div"))
  const hide = ThreeTexts.show(parent, root, texts, (side) => fixed(side))
  return () => {
    hide()
    parent.remove()
  }
}

const CompareDialog = (props: {
  readonly document: OpenDocument
  readonly conflict: Conflict
  readonly onClose: () => void
}) => {
  const { conflict, document, onClose } = props
  const host = useRef<HTMLDivElement>(null)
  const isNarrow = useMedia("(max-width: 640px)")
  // Three columns need their room.
  const isWide = useMedia("(min-width: 900px)")
  const [chosen, choose] = useState<View>("all")
  const view = chosen === "all" && !isWide ? "sides" : chosen
  useEffect(() => {
    const buffer = document.buffer()
    if (host.current === null || buffer === undefined) return
    const root = rootOf(host.current)
    const { base, disk } = conflict
    const texts = { disk: toDoc(disk.text, disk.lineEnd), base: base.doc, mine: buffer.state.doc }
    return view === "all" ? showAll(root, texts) : showTwo(root, texts, views[view].shown, isNarrow)
  }, [document, conflict, isNarrow, view])
  const end = (act: () => void) => () => {
    act()
    onClose()
  }
  return (
    <Dialog title={`Compare ${nameOf(document.path)}`} onClose={onClose}>
      <div className={styles["compare"]} data-language={languageOf(document.path).name}>
        <div className={styles["views"]} role="radiogroup" aria-label="What is compared">
          {viewsFor(isWide).map((one) => (
            <label key={one}>
              <input type="radio" name="compared" checked={one === view} onChange={() => choose(one)} />
              {views[one].name}
            </label>
          ))}
        </div>
        <div className={styles["sides"]}>
          {views[view].shown.map((side, index) => (
            <h3 key={side}>{isNarrow && index === 0 ? `${names[side]}, struck through` : names[side]}</h3>
          ))}
        </div>
        <div ref={host} className={`${styles["both"] ?? ""} scroll`} />
        <div className={styles["foot"]}>
          <Button needs="operate" onClick={end(document.keepMine)}>
            Keep mine
          </Button>
          <Button needs="operate" onClick={end(document.takeTheirs)}>
            Take theirs
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const viewsFor = (isWide: boolean): ReadonlyArray<View> => [
  ...(isWide ? (["all"] as const) : []),
  "sides",
  "disk",
  "mine"
]

export default CompareDialog
