/** A transcript that grows: it follows its end until a hand lets go, and a hand always wins. */
import type { Page } from "playwright-core"
import { assert, describe } from "vitest"
import { test } from "../support/story.ts"
import type { Tab } from "../support/Tab.ts"

/** How many times slower than this machine the page is. */
const slowness = 4

const setSlowness = async (page: Page, rate: number): Promise<void> => {
  const machine = await page.context().newCDPSession(page)
  await machine.send("Emulation.setCPUThrottlingRate", { rate })
  await machine.detach()
}

/** Has an agent write until it is stopped, and waits until that is much longer than the window. */
const grow = async (tab: Tab, project: string): Promise<void> => {
  await tab.startThread(project, "Script")
  await tab.prompt("Write")
  await tab.page.waitForFunction(() => (document.querySelector("#register")?.scrollTop ?? 0) > 2000)
}

const stop = async (tab: Tab): Promise<void> => {
  await setSlowness(tab.page, 1)
  await tab.press("Control+.")
  await tab.ended("Cancelled")
}

/**
 * Does something that scrolls up. Watches the place from the event on, until the text has grown by many lines. Returns how far up
 * it went. The text must not move down under the hand.
 */
const scrollUp = async (tab: Tab, event: string, act: () => Promise<void>): Promise<number> => {
  const watch = await tab.transcript.evaluateHandle(
    (transcript, event) => ({
      done: new Promise<{ readonly up: number; readonly jumps: ReadonlyArray<number> }>((resolve) => {
        // What is out of sight has no height of its own: growth shows in the number of paragraphs.
        const paragraphs = transcript.getElementsByTagName("p")
        const begin = () => {
          const start = transcript.scrollTop
          const enough = paragraphs.length + 20
          const jumps: Array<number> = []
          let [before, frames] = [start, 0]
          const look = () => {
            const now = transcript.scrollTop
            if (now > before) jumps.push(now - before)
            before = now
            frames += 1
            if (frames > 5 && paragraphs.length > enough) resolve({ up: start - now, jumps })
            else requestAnimationFrame(look)
          }
          look()
        }
        transcript.addEventListener(event, begin, { once: true })
      })
    }),
    event
  )
  await act()
  const { jumps, up } = await watch.evaluate(({ done }) => done)
  await watch.dispose()
  assert.deepStrictEqual(jumps, [])
  return up
}

/** Waits until the end is followed for a while. */
const follows = (tab: Tab): Promise<void> =>
  tab.transcript.evaluate(
    (transcript) =>
      new Promise<void>((resolve) => {
        const start = transcript.scrollTop
        const look = () => (transcript.scrollTop > start + 200 ? resolve() : void requestAnimationFrame(look))
        look()
      })
  )

const back = async (tab: Tab): Promise<void> => {
  const button = tab.button(/go to the end/i)
  await button.click()
  await button.waitFor({ state: "detached" })
  await follows(tab)
}

export const following = () =>
  describe("a transcript that follows its end", () => {
    test("lets go at each turn of the wheel, by any amount, on a slow page too", async ({
      openAnew,
      project,
      writing
    }) => {
      const tab = await openAnew(writing.link)
      await grow(tab, project)
      await tab.transcript.hover()
      await setSlowness(tab.page, slowness)
      for (const by of [400, 1, 2, 400]) {
        assert.strictEqual(await scrollUp(tab, "wheel", () => tab.page.mouse.wheel(0, -by)), by)
        await back(tab)
      }
      await stop(tab)
    })

    test("is not taken back by an event that comes late for what the page did itself", async ({
      open,
      project,
      writing
    }) => {
      const tab = await open(writing.link)
      await grow(tab, project)
      for (let times = 0; times < 3; times++) {
        // On a slow page, the wheel is known before its scrolling, and between them comes an event of the page's own.
        const up = await scrollUp(tab, "wheel", () =>
          tab.transcript.evaluate(
            (transcript) =>
              new Promise<void>((resolve) => {
                const late = () => {
                  if (transcript.scrollHeight - transcript.clientHeight > transcript.scrollTop) return
                  transcript.removeEventListener("scroll", late, { capture: true })
                  transcript.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, bubbles: true }))
                  resolve()
                }
                transcript.addEventListener("scroll", late, { capture: true })
              })
          )
        )
        assert.strictEqual(up, 0)
        await back(tab)
      }
      await stop(tab)
    })

    test("lets go for keys and a finger", async ({ openAnew, project, writing }) => {
      const tab = await openAnew(writing.link)
      await grow(tab, project)
      await setSlowness(tab.page, slowness)
      for (const [key, ...held] of [["ArrowUp"], ["PageUp"], ["Space", "Shift"], ["Home", "Control"]] as const) {
        await tab.transcript.focus()
        // A key that is held is no turn yet.
        for (const modifier of held) await tab.page.keyboard.down(modifier)
        assert.isAbove(await scrollUp(tab, "keydown", () => tab.press(key)), 0, key)
        for (const modifier of held) await tab.page.keyboard.up(modifier)
        await back(tab)
      }
      const machine = await tab.page.context().newCDPSession(tab.page)
      const at = (y: number) => [{ x: 700, y }]
      await machine.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(300) })
      const byFinger = await scrollUp(tab, "touchmove", async () => {
        for (const y of [330, 360, 390, 420]) {
          await machine.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(y) })
          // The page has heard of the first one before it is moved further: what it scrolls is measured from there.
          await tab.page.evaluate(() => new Promise(requestAnimationFrame))
        }
      })
      assert.isAbove(byFinger, 50)
      await machine.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] })
      await machine.detach()
      await back(tab)
      await stop(tab)
    })

    test("lets go for what scrolls by itself: a focus, a reading aid, a bar that is dragged", async ({
      open,
      project,
      writing
    }) => {
      const tab = await open(writing.link)
      await grow(tab, project)
      for (const by of ["focus", "place", "drag"] as const) {
        const up = await scrollUp(tab, "before", () =>
          tab.transcript.evaluate(
            (transcript, by) =>
              new Promise<void>((resolve) => {
                const first = transcript.querySelector("p")
                // The text has grown, and has not been laid out yet.
                const changes = new MutationObserver(() => {
                  changes.disconnect()
                  transcript.dispatchEvent(new Event("before"))
                  if (by === "place") first?.scrollIntoView()
                  if (by === "focus") first?.focus()
                  if (by === "drag") transcript.scrollBy(0, -30)
                  resolve()
                })
                first?.setAttribute("tabindex", "-1")
                changes.observe(transcript, { subtree: true, childList: true })
              }),
            by
          )
        )
        assert.isAtLeast(up, 30, by)
        await back(tab)
      }
      await stop(tab)
    })

    test("follows on where the desk makes room and the text grows at once", async ({ open, project, writing }) => {
      const tab = await open(writing.link)
      await grow(tab, project)
      for (let times = 0; times < 3; times++) {
        await tab.transcript.evaluate(async (transcript) => {
          const desk = document.querySelector<HTMLElement>('[aria-label="Desk"]')
          if (desk === null) throw new Error("There is no desk.")
          const laidOut = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
          desk.style.height = `${desk.offsetHeight + 200}px`
          await laidOut()
          await laidOut()
          desk.style.height = ""
          const put = document.createElement("div")
          put.style.height = "90px"
          // Some browsers move the place up as soon as anybody asks for it. Chromium does so when it draws.
          transcript.scrollTop -= 200
          ;[...transcript.querySelectorAll("p")].at(-1)?.after(put)
          await laidOut()
          await laidOut()
          put.remove()
        })
        await follows(tab)
      }
      assert.strictEqual(await tab.button(/go to the end/i).count(), 0)
      await stop(tab)
    })

    test("follows again for whoever comes to the end that they saw, though more has come meanwhile", async ({
      openAnew,
      project,
      writing
    }) => {
      const tab = await openAnew(writing.link)
      await grow(tab, project)
      await tab.transcript.hover()
      await setSlowness(tab.page, slowness)
      for (let times = 0; times < 3; times++) {
        await scrollUp(tab, "wheel", () => tab.page.mouse.wheel(0, -300))
        await tab.page.mouse.wheel(0, 100_000)
        await tab.button(/^Go to the end/).waitFor({ state: "detached" })
        await follows(tab)
      }
      await stop(tab)
    })

    test("follows again for whoever comes to the end of a layout that was still drawn, not to any other place", async ({
      open,
      project,
      writing
    }) => {
      const tab = await open(writing.link)
      await grow(tab, project)
      await tab.transcript.hover()
      for (const [above, isFollowed] of [
        [0, true],
        [60, false]
      ] as const) {
        await scrollUp(tab, "wheel", () => tab.page.mouse.wheel(0, -300))
        // The text grows between the end that people see and the one that the page knows.
        await tab.transcript.evaluate(
          (transcript, above) =>
            new Promise<void>((resolve) => {
              const endOf = () => transcript.scrollHeight - transcript.clientHeight
              const ends: Array<number> = [endOf()]
              const sizes = new ResizeObserver(() => {
                const end = endOf()
                if (end - (ends.at(-1) ?? end) > 2) ends.push(end)
                if (ends.length < 4) return
                sizes.disconnect()
                transcript.addEventListener("scroll", () => resolve(), { once: true })
                transcript.scrollTop = (ends.at(-3) ?? 0) - above
              })
              for (const child of transcript.children) sizes.observe(child)
            }),
          above
        )
        if (isFollowed) await follows(tab)
        assert.strictEqual(await tab.button(/^Go to the end/).count(), isFollowed ? 0 : 1)
      }
      await stop(tab)
    })
  })
