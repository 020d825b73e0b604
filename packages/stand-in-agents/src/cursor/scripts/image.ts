import { Buffer } from "node:buffer"
import { announce } from "../Extensions.ts"
import { isObject, textIn } from "../../Json.ts"
import type { Script } from "../Script.ts"
import { Tool } from "../Tools.ts"
import { Workspace } from "../Workspace.ts"

/** One transparent pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64"
)

/** Writes an image into the workspace, and sends its path to the client. */
export const image: Script = async (turn, args) => {
  const path = args.get("path", 0) ?? "generated.png"
  const description = "A single pixel"
  await turn.think("I will draw something small.")
  const generic = { title: "Generate Image", rawInput: { _toolName: "generateImage" } }
  const detail = { title: "Generate Image", rawInput: { _toolName: "generateImage", description, filePath: path } }
  const tool = Tool.open(turn, { kind: "other", generic, detail })
  tool.start()
  await turn.wait(770)
  const workspace = new Workspace(turn.session.cwd)
  workspace.write(path, pixel)
  tool.complete()
  const filePath = workspace.locate(path)
  await announce(turn, "cursor/generate_image", { toolCallId: tool.id, description, filePath, referenceImagePaths: [] })
  await turn.say(`I have drawn one pixel and saved it as \`${path}\`.`)
}

/** Reports the images of the prompt. */
export const imageIn: Script = async (turn) => {
  const images = turn.prompt.filter((block) => isObject(block)).filter((block) => block["type"] === "image")
  const lines = images.map((block) => {
    const bytes = Buffer.from(textIn(block, "data") ?? "", "base64").length
    return `- ${textIn(block, "mimeType") ?? "unknown type"}, ${bytes} bytes`
  })
  await turn.say(lines.length === 0 ? "There was no image in the prompt." : `I received:\n\n${lines.join("\n")}`)
}
