/** The document of the chat: the page's own parts, under a policy that lets in nothing else. */

export interface Addresses {
  /** The address of the folder with the built parts, without a slash at its end. */
  readonly parts: string
  /** What the editor calls the origin of an extension's own files, in a content security policy. */
  readonly source: string
}

/** Pure. What stands in it comes from the extension alone. */
export const documentOf = ({ parts, source }: Addresses): string => {
  const policy = [
    "default-src 'none'",
    `script-src ${source}`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data: blob:`,
    "media-src data: blob:",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; ")
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Signalbox</title>
    <link rel="stylesheet" href="${parts}/chat.css">
    <script type="module" src="${parts}/chat.js"></script>
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>
`
}
