/** Markdown of agents. A growing text is read block by block: what is finished is not read again. */
import type { Root } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { memo } from "react"
import { splitBlocks, wholeCharacters } from "./blocks.ts"
import { CodeBlock } from "./CodeBlock.tsx"
import styles from "./Markdown.module.css"
import { drawChildren } from "./nodes.tsx"

export const Markdown = memo(({ growing = false, text }: { readonly text: string; readonly growing?: boolean }) => {
  const blocks = splitBlocks(growing ? wholeCharacters(text) : text)
  return (
    <div className={`prose ${styles["markdown"] ?? ""}`} dir="auto" data-growing={growing || undefined}>
      {blocks.map((block, index) =>
        block.type === "code" ? (
          // eslint-disable-next-line react/no-array-index-key -- text only grows at its end: a block's place is its identity
          <CodeBlock key={index} code={block.code} language={block.language} />
        ) : (
          // eslint-disable-next-line react/no-array-index-key -- as above
          <MarkdownBlock key={index} source={block.source} growing={growing && index === blocks.length - 1} />
        )
      )}
      {growing && <span className={styles["caret"]} aria-hidden="true" />}
    </div>
  )
})

/** CommonMark with GitHub's tables, task lists, strikethrough, footnotes and bare links. */
const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/**
 * UTF-16 units of one block that are still read as Markdown. The reader's time grows with the square of a paragraph's length, and the
 * block that grows is read anew at every paint; what is longer is no prose, and is shown as it came.
 */
const longestBlock = 32_768
const longestGrowing = 4_096

const MarkdownBlock = memo(({ growing, source }: { readonly source: string; readonly growing: boolean }) => {
  if (source.length > (growing ? longestGrowing : longestBlock)) return <p className={styles["asItCame"]}>{source}</p>
  const root = fromMarkdown(source, options)
  return drawChildren(root, definitionsOf(root))
})

/** The first definition of a label counts (CommonMark 0.31, link reference definitions). */
const definitionsOf = ({ children }: Root): ReadonlyMap<string, string> => {
  const definitions = new Map<string, string>()
  for (const node of children)
    if (node.type === "definition" && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url)
  return definitions
}
