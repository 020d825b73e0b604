/**
 * Markdown of agents. No HTML is ever made of it but what is listed here; nothing is fetched; links leave only to what can be opened safely.
 * A growing text is read block by block: what is finished is not read again.
 */
import type { ComponentProps } from "react"
import { memo } from "react"
import ReactMarkdown, { type Components, type ExtraProps } from "react-markdown"
import remarkGfm from "remark-gfm"
import { splitBlocks, wholeCharacters } from "./blocks.ts"
import { CodeBlock } from "./CodeBlock.tsx"
import { openable } from "./links.ts"
import styles from "./Markdown.module.css"

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

const plugins = [remarkGfm]

/** Addresses are judged where they are used, so that a refused one can still be read. */
const asWritten = (address: string): string => address

const MarkdownBlock = memo(({ source }: { readonly source: string }) => (
  <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={asWritten}>
    {source}
  </ReactMarkdown>
))

const Link = ({ children, href = "" }: ComponentProps<"a"> & ExtraProps) => {
  const url = openable(href)
  if (url === undefined)
    return (
      <span className={styles["refused"]} title={`Not a web address, so not a link: ${href}`}>
        {children}
      </span>
    )
  return (
    <a className="link" href={url.href} title={url.href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** An image is not fetched: whoever serves it would learn that it was looked at. */
const ImageLink = ({ alt = "", src }: ComponentProps<"img"> & ExtraProps) => {
  const address = typeof src === "string" ? src : ""
  const words = alt === "" ? address : alt
  return (
    <span className={styles["image"]}>
      Image: <Link href={address}>{words}</Link>
    </span>
  )
}

/** Code of a list or a quote. Fences at the top level never come here. */
const Pre = ({ node }: ComponentProps<"pre"> & ExtraProps) => {
  const code = node?.children[0]
  if (code?.type !== "element") return null
  const names = code.properties["className"]
  const language = Array.isArray(names) ? names.map(String).find((name) => name.startsWith("language-")) : undefined
  const text = code.children.map((child) => (child.type === "text" ? child.value : "")).join("")
  return <CodeBlock code={text.replace(/\n$/, "")} language={language?.slice("language-".length) ?? ""} />
}

const Table = ({ children }: ComponentProps<"table"> & ExtraProps) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- a box that scrolls has to be reached by keyboard
  <div className={styles["table"]} tabIndex={0} role="group" aria-label="Table">
    <table>{children}</table>
  </div>
)

/** Entries are headings of level 3: what they hold starts below. */
const Heading4 = ({ children }: ComponentProps<"h1"> & ExtraProps) => <h4>{children}</h4>
const Heading5 = ({ children }: ComponentProps<"h2"> & ExtraProps) => <h5>{children}</h5>
const Heading6 = ({ children }: ComponentProps<"h3"> & ExtraProps) => <h6>{children}</h6>

const components: Components = {
  a: Link,
  img: ImageLink,
  pre: Pre,
  table: Table,
  h1: Heading4,
  h2: Heading5,
  h3: Heading6,
  h4: Heading6,
  h5: Heading6,
  h6: Heading6
}
