/** Markdown of agents. A growing text is read block by block: what is finished is not read again. */
import type { Nodes, Root } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { memo, useEffect, useState } from "react"
import { RevealedProse } from "../text/Revealed.tsx"
import { type Fence, type Slice, wholeCharacters } from "./blocks.ts"
import { CodeBlock } from "./CodeBlock.tsx"
import styles from "./Markdown.module.css"
import { drawChildren } from "./nodes.tsx"
import * as SliceReader from "./SliceReader.ts"

/** How a text hangs together with the texts before and behind it. It is fixed once for a text that is shown. */
export interface MarkdownEnds {
  /** The code block that is open where the text begins. */
  readonly within?: Fence | undefined
  /** The rest of a code block that is open where the text ends, and goes on in the next one; absent where none does. */
  readonly rest?: ((fence: Fence) => string) | undefined
}

export const Markdown = memo(
  ({ growing = false, rest, text, within }: { readonly text: string; readonly growing?: boolean } & MarkdownEnds) => {
    const { isWhole, slices } = useSlices(growing ? wholeCharacters(text) : text, within)
    return (
      <div className={`prose ${styles["markdown"] ?? ""}`} dir="auto" data-growing={growing || undefined}>
        {slices.map((slice, index) => (
          <MarkdownSlice
            key={slice.start}
            slice={slice}
            growing={growing && index === slices.length - 1}
            rest={isWhole && index === slices.length - 1 ? rest : undefined}
          />
        ))}
        {growing && isWhole && <span className={styles["caret"]} aria-hidden="true" />}
      </div>
    )
  }
)

/** The text as far as it is read. Each slice is read and drawn in a task of its own, so that the page answers in between. */
const useSlices = (text: string, within: Fence | undefined) => {
  const [reader] = useState(() => SliceReader.make(within))
  const [most, setMost] = useState(1)
  const read = reader.read(text, most)
  const { isWhole, slices } = read
  useEffect(() => {
    if (isWhole) return
    const timer = setTimeout(() => setMost(slices.length + 1))
    return () => clearTimeout(timer)
  }, [isWhole, slices.length])
  return read
}

const MarkdownSlice = memo(
  ({ growing, rest, slice }: { readonly slice: Slice; readonly growing: boolean } & Pick<MarkdownEnds, "rest">) =>
    slice.blocks.map((block, index) =>
      block.type === "code" ? (
        <CodeBlock
          // eslint-disable-next-line react/no-array-index-key -- text only grows at its end: a block's place is its identity
          key={index}
          code={block.code}
          language={block.fence.language}
          continues={block.continues}
          rest={block.open && rest !== undefined ? () => rest(block.fence) : undefined}
        />
      ) : (
        // eslint-disable-next-line react/no-array-index-key -- as above
        <MarkdownBlock key={index} source={block.source} growing={growing && index === slice.blocks.length - 1} />
      )
    )
)

/** CommonMark with GitHub's tables, task lists, strikethrough, footnotes and bare links. */
const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/**
 * UTF-16 units of one block that are still read as Markdown. The reader's time grows with the square of a paragraph's length. The block that
 * grows is read again at every paint; what is longer is no prose, and is shown as it came.
 */
const longestBlock = 32_768
const longestGrowing = 4_096

/** Characters that begin something in Markdown. The reader's time grows with the square of their number in a paragraph. */
const mostMarks = 2000
/** Quotes and lists within one another. */
const mostContainers = 32
/** Levels of the tree. */
const deepest = 100

const MarkdownBlock = memo(({ growing, source }: { readonly source: string; readonly growing: boolean }) => {
  const root = source.length > (growing ? longestGrowing : longestBlock) ? undefined : readMarkdown(source)
  if (root === undefined)
    return (
      <p className={styles["asItCame"]}>
        <RevealedProse text={source} />
      </p>
    )
  return drawChildren(root, definitionsOf(root))
})

/** Its tree; nothing for what is made to take long or to nest without end. */
export const readMarkdown = (source: string): Root | undefined => {
  if ((source.match(/[*_~[\]!<`&^]/g)?.length ?? 0) > mostMarks) return undefined
  for (const line of source.matchAll(/^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm))
    if ((line[0].match(/>|[-*+]|\d[.)]/g)?.length ?? 0) > mostContainers) return undefined
  const root = fromMarkdown(source, options)
  return isDeeper(root, deepest) ? undefined : root
}

const isDeeper = (root: Nodes, levels: number): boolean => {
  let level: ReadonlyArray<Nodes> = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap((node): ReadonlyArray<Nodes> => ("children" in node ? node.children : []))
  }
  return false
}

/** The first definition of a label counts (CommonMark 0.31, link reference definitions). */
const definitionsOf = ({ children }: Root): ReadonlyMap<string, string> => {
  const definitions = new Map<string, string>()
  for (const node of children)
    if (node.type === "definition" && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url)
  return definitions
}
