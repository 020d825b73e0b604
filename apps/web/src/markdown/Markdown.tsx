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
          <MarkdownBlock key={index} source={block.source} />
        )
      )}
      {growing && <span className={styles["caret"]} aria-hidden="true" />}
    </div>
  )
})

/** CommonMark with GitHub's tables, task lists, strikethrough, footnotes and bare links. */
const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

const MarkdownBlock = memo(({ source }: { readonly source: string }) => {
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
