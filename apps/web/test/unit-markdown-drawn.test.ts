import { assert, describe, it } from "@effect/vitest"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { Markdown } from "../src/markdown/Markdown.tsx"

const draw = (text: string, growing = false) => renderToStaticMarkup(createElement(Markdown, { text, growing }))

describe("Markdown on the page", () => {
  it.each([
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "a <b onclick=alert(1)>b</b>",
    "<!-- <iframe src=javascript:alert(1)> -->",
    "<svg/onload=alert(1)>",
    "- <details open ontoggle=alert(1)>"
  ])("shows HTML as the text that it is: %s", (text) => {
    const drawn = draw(text)
    assert.notMatch(drawn, /<(?:script|img|b|iframe|svg\/|details|!--)[\s>]/)
    assert.include(drawn, "alert(1)")
    assert.include(drawn, "&lt;")
  })

  it("opens only web pages and letters, in a window that learns nothing of this one", () => {
    assert.include(
      draw("[a](https://example.com)"),
      'href="https://example.com/" title="https://example.com/" target="_blank" rel="noreferrer"'
    )
    for (const address of [
      "javascript:alert(1)",
      "JAVASCRIPT:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "/relative",
      "#hash"
    ])
      assert.notInclude(draw(`[a](<${address}>)`), "href", address)
    assert.notInclude(draw("[a][b]\n\n[b]: javascript:alert(1)"), "href")
    assert.include(draw("[a][b]\n\nmore\n\n[b]: https://example.com"), "href")
  })

  it("fetches no image", () => {
    for (const text of [
      "![alt](https://example.com/x.png)",
      "![alt][i]\n\n[i]: https://example.com/x.png",
      "<img src=https://example.com/x.png>"
    ])
      assert.notMatch(draw(text), /<img/)
    assert.include(draw("![alt](https://example.com/x.png)"), 'href="https://example.com/x.png"')
  })

  it("has headings below those of entries, tables, task lists, footnotes", () => {
    const drawn = draw("# one\n\n## two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done\n\ntext[^1]\n\n[^1]: note")
    assert.match(drawn, /<h4>one<\/h4><h5>two<\/h5>/)
    assert.match(drawn, /<th data-align="right">b<\/th>.*<td>1<\/td><td data-align="right">2<\/td>/)
    assert.match(drawn, /<input type="checkbox" disabled="" aria-label="done" checked=""\/>/)
    assert.match(drawn, /note/)
  })

  it("keeps the number of a list that is cut", () => {
    assert.include(draw("3. three\n4. four"), '<ol start="3">')
  })

  it("has a caret while text grows", () => {
    assert.match(draw("abc", true), /aria-hidden="true"><\/span><\/div>$/)
    assert.notMatch(draw("abc"), /aria-hidden/)
  })

  it("shows a block that is no prose by its length as it came, and a growing one until it has ended", () => {
    const long = "word *word* ".repeat(10_000)
    assert.strictEqual(draw(long).match(/<em>/g), null)
    assert.include(draw(long), "word *word* word")
    const growing = "word *word* ".repeat(500)
    assert.notInclude(draw(growing, true), "<em>")
    assert.include(draw(growing), "<em>")
    assert.include(draw(`${growing}\n\nnext *one*`, true), "<em>")
  })

  it("reveals overrides in code", () => {
    assert.include(draw("```\na\u202eb\n```"), "U+202E")
  })
})
