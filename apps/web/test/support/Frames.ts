/** A page that is slow to draw: its frames come when the test says so. */
import type { Page } from "playwright-core"
import type { Tab } from "./Tab.ts"

/** Holds each frame of a page that is opened after this call. */
export const holdFrames = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const frames: Array<FrameRequestCallback> = []
    window.requestAnimationFrame = (frame) => frames.push(frame)
    addEventListener("frame", () => frames.splice(0).forEach((frame) => frame(performance.now())))
  })
}

/** Lets one frame come. */
export const drawFrame = (tab: Tab): Promise<boolean> => tab.page.evaluate(() => dispatchEvent(new Event("frame")))
