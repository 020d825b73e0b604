// A file in CodeMirror alone: `apps/web/bench/codemirror.mjs` in Chromium.
import { rolldown } from "rolldown"
import { file } from "../processes.mjs"
import { launchChromium, newPage } from "./opened.mjs"

/** Opens the text, with the caret in a line. `minify`: as people get it; otherwise a profile has names. */
export const openedBare = async (text, line, minify = true) => {
  const bundle = await rolldown({ input: file("../apps/web/bench/codemirror.mjs"), logLevel: "silent" })
  const { output } = await bundle.generate({ format: "iife", minify })
  await bundle.close()
  const browser = await launchChromium()
  const page = await newPage(browser)
  await page.setContent("<body style='margin:0'></body>")
  await page.addScriptTag({ content: output[0].code })
  await page.evaluate(([text, line]) => openText(text, line), [text, line])
  return { page, browser, close: () => browser.close() }
}
