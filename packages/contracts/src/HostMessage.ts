/**
 * What a view of the chat in an editor and the extension that hosts it say to each other. The extension passes on what goes to and
 * comes from the server, and does not read it.
 */
import * as Schema from "effect/Schema"
import { PromptPart } from "./Content.ts"
import { ThreadId } from "./Ids.ts"
import { Problem } from "./Problem.ts"

/** A way to the server, named by the view. */
const Connection = Schema.String.check(Schema.isMaxLength(64))

/** What can be added to a prompt from the editor. */
export const Offer = Schema.Struct({
  type: Schema.Literals(["selection", "file", "problems"]),
  /** E.g. `deliver.ts 42–47`, `deliver.ts`, or `2 problems`. */
  label: Schema.String
})
export type Offer = typeof Offer.Type

/** The folders of a window, and whether the person has said that they trust them. */
export const Workspace = Schema.Struct({ folders: Schema.Array(Schema.String), isTrusted: Schema.Boolean })
export type Workspace = typeof Workspace.Type

export const FromView = Schema.Union([
  /** The view listens. It is sent once by each view that is made. */
  Schema.Struct({ type: Schema.tag("ready") }),
  Schema.Struct({ type: Schema.tag("connect"), connection: Connection }),
  Schema.Struct({ type: Schema.tag("frame"), connection: Connection, data: Schema.String }),
  Schema.Struct({ type: Schema.tag("disconnect"), connection: Connection }),
  /** Looks for the server at once. */
  Schema.Struct({ type: Schema.tag("try") }),
  /**
   * The thread that the view shows now. The next view of this workspace opens it. `at`: its folder and the name of its agent, which the
   * extension knows later of a thread that has just begun.
   */
  Schema.Struct({
    type: Schema.tag("showing"),
    threadId: Schema.optionalKey(ThreadId),
    at: Schema.optionalKey(Schema.Struct({ cwd: Schema.String, agent: Schema.String }))
  }),
  /** Opens a file in the editor. `path`: absolute, or from `cwd`. `line`: from 1. */
  Schema.Struct({
    type: Schema.tag("openFile"),
    cwd: Schema.String,
    path: Schema.String,
    line: Schema.optionalKey(Schema.Int)
  }),
  /** Compares two texts of a file side by side in the editor. `oldText`: null if the file is new. */
  Schema.Struct({
    type: Schema.tag("openDiff"),
    path: Schema.String,
    oldText: Schema.NullOr(Schema.String),
    newText: Schema.String
  }),
  /** Opens a place of the page in a browser. `href`: its fragment. */
  Schema.Struct({ type: Schema.tag("openPage"), href: Schema.String }),
  /** Opens an address outside of the editor. */
  Schema.Struct({ type: Schema.tag("openLink"), url: Schema.String }),
  Schema.Struct({ type: Schema.tag("openFolder") }),
  /** Loads the view's document again. */
  Schema.Struct({ type: Schema.tag("reload") }),
  /** Lets people decide whether they trust the folders of the window. */
  Schema.Struct({ type: Schema.tag("manageTrust") }),
  /** Asks for what was offered; it comes as `add`. */
  Schema.Struct({ type: Schema.tag("take"), offer: Offer.fields.type })
])
export type FromView = typeof FromView.Type

export const ToView = Schema.Union([
  /** The answer to `ready`. `restore`: the thread that was open last, which is opened, or which people are asked about. */
  Schema.Struct({
    type: Schema.tag("welcome"),
    workspace: Workspace,
    restore: Schema.optionalKey(Schema.Struct({ threadId: ThreadId, ask: Schema.Boolean }))
  }),
  Schema.Struct({ type: Schema.tag("connected"), connection: Connection }),
  Schema.Struct({ type: Schema.tag("frame"), connection: Connection, data: Schema.String }),
  /** The way is gone, or could not be opened: then the problem says why. */
  Schema.Struct({ type: Schema.tag("disconnected"), connection: Connection, problem: Schema.optionalKey(Problem) }),
  Schema.Struct({ type: Schema.tag("show"), threadId: ThreadId }),
  Schema.Struct({ type: Schema.tag("newThread") }),
  Schema.Struct({ type: Schema.tag("workspace"), workspace: Workspace }),
  Schema.Struct({ type: Schema.tag("offers"), offers: Schema.Array(Offer) }),
  /** Puts parts into the prompt that is being written. */
  Schema.Struct({ type: Schema.tag("add"), parts: Schema.Array(PromptPart) })
])
export type ToView = typeof ToView.Type
