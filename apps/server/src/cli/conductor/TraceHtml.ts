/** What the pages of a trace are made of: escaped text, and the document around it. No page has a script. */
import { oneLine } from "../../base/Plain.ts"

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text as HTML shows it, in elements and in attributes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "")

/** A sentence that stands out. */
export const note = (words: string): string => `<p class="note">${escaped(oneLine(words, 1000))}</p>\n`

/** A text of one line as a paragraph for the path of a file. */
export const pathLine = (path: string): string => `<p class="path">${escaped(oneLine(path, 400))}</p>\n`

/**
 * A whole page.
 *
 * @param title without characters that HTML gives a meaning
 * @param body HTML
 */
export const documentOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Signalbox</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<main>
${body}</main>
</body>
</html>
`

/** A page that says what is wrong, and leads back to the trace. */
export const problem = (title: string, words: string): string =>
  documentOf(
    "Trace",
    `<h1>${escaped(oneLine(title, 200))}</h1>\n${note(words)}<nav aria-label="Events"><a href="./">All events</a></nav>\n`
  )
