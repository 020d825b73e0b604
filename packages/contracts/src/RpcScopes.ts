/**
 * The scope that each call needs. A call or a command without an entry is a type error, so the build fails. What lets
 * an agent do more needs at least `operate`; what lets a client do more needs `admin`.
 */
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { ClientScope, ScopeNeed } from "./ClientScope.ts"
import type { AgentSessionChange } from "./AgentSession.ts"
import type { ThreadCommand } from "./Command.ts"
import type { SignalboxRpc } from "./Rpc.ts"

/** The name of a call. */
export type RpcTag = RpcGroup.Rpcs<typeof SignalboxRpc>["_tag"]

/** The need of a call: one for all its payloads, or one that depends on the payload. */
type RpcNeed = ScopeNeed | ((payload: unknown) => ScopeNeed)

const need =
  (needs: ClientScope) =>
  (does: string): ScopeNeed => ({ needs, does })

const view = need("view")
const approve = need("approve")
const operate = need("operate")
const admin = need("admin")

/** The needs of commands to threads, by their types. */
export const commandScopes = {
  "thread.create": operate("create threads"),
  "thread.rename": operate("rename threads"),
  "turn.start": operate("send prompts"),
  "turn.edit": operate("edit prompts"),
  "turn.move": operate("move prompts"),
  "queue.hold": operate("hold or release prompts"),
  // Whoever may allow a command must be able to stop what came of it. A stop never lets an agent do more.
  "turn.interrupt": approve("stop turns"),
  "request.respond": approve("answer requests"),
  // The mode of a session decides what its agent does without asking.
  "setting.set": operate("change the settings of sessions"),
  "mcp.choose": operate("choose MCP servers"),
  "components.choose": operate("choose components"),
  // For one session, like its mode. For all sessions: `chooseProfile`.
  "profile.choose": operate("choose who answers requests until a session ends"),
  "session.start": operate("start agents"),
  "session.stop": operate("end sessions"),
  "thread.rollback": operate("take turns back")
} as const satisfies Record<ThreadCommand["type"], ScopeNeed>

/** The needs of changes to sessions that agents store, by their types. */
const sessionChangeScopes = {
  close: operate("end sessions"),
  archive: operate("archive sessions"),
  unarchive: operate("archive sessions"),
  rename: operate("rename sessions"),
  delete: admin("delete sessions")
} as const satisfies Record<AgentSessionChange["type"], ScopeNeed>

/** A call that can't be read, or has no entry, needs the widest scope. */
const unread = admin("make calls that have no scope")

const byType = (needs: Readonly<Record<string, ScopeNeed>>) => {
  const known = new Map(Object.entries(needs))
  return (type: string): ScopeNeed => known.get(type) ?? unread
}
const commandNeed = byType(commandScopes)
const sessionChangeNeed = byType(sessionChangeScopes)

/** The options of a thread replace those in the settings: the program, its environment, what it is granted. */
const ownOptions = admin("create threads with options of their own")

/** The reason of a rejected approval becomes a prompt with any text, in a turn of its own. */
const reasonAsPrompt = operate("send a reason, which becomes a prompt")

const readCommand = Schema.decodeUnknownOption(
  Schema.Struct({
    command: Schema.Struct({
      type: Schema.String,
      providerOptions: Schema.optionalKey(Schema.Unknown),
      response: Schema.optionalKey(Schema.Unknown)
    })
  })
)
const hasReason = (response: unknown): boolean =>
  Predicate.isObject(response) && response["type"] === "option" && response["reason"] !== undefined
const needOfCommand = (payload: unknown): ScopeNeed =>
  Option.match(readCommand(payload), {
    onNone: () => unread,
    onSome: ({ command: { providerOptions, response, type } }) => {
      if (providerOptions !== undefined) return ownOptions
      return type === "request.respond" && hasReason(response) ? reasonAsPrompt : commandNeed(type)
    }
  })

const readChange = Schema.decodeUnknownOption(Schema.Struct({ change: Schema.Struct({ type: Schema.String }) }))
const needOfSessionChange = (payload: unknown): ScopeNeed =>
  Option.match(readChange(payload), { onNone: () => unread, onSome: ({ change }) => sessionChangeNeed(change.type) })

const readWrite = Schema.decodeUnknownOption(Schema.Struct({ write: Schema.Boolean }))
const needOfWatching = (payload: unknown): ScopeNeed =>
  Option.match(readWrite(payload), {
    onNone: () => unread,
    onSome: ({ write }) => (write ? operate("edit files of threads") : view("read files of threads"))
  })

/** The needs of calls, by their names. */
export const rpcScopes = {
  hello: view("ask for the version"),
  send: needOfCommand,
  watchThreads: view("list threads"),
  watchRequests: view("list threads"),
  watchThread: view("read threads"),
  readEarlier: view("read threads"),
  readLater: view("read threads"),
  readOutput: view("read threads"),
  exportThread: view("export threads"),
  // It holds more than the thread shows: command lines, names of variables, what a secret was cut from.
  watchWire: admin("read the wire of threads"),
  readWire: admin("read the wire of threads"),
  deleteThread: admin("delete threads"),
  watchHealth: view("see the health of the server"),
  watchProviders: view("list agents"),
  // Starts the programs of agents.
  checkProviders: operate("check agents"),
  listRememberedSettings: view("list remembered settings"),
  rememberSettings: operate("remember settings"),
  forgetSettings: operate("forget settings"),
  watchClients: admin("list clients"),
  inviteClient: admin("invite clients"),
  changeClient: admin("change clients"),
  revokeClient: admin("revoke clients"),
  revokeAllClients: admin("revoke clients"),
  watchSettings: view("see faults of the settings file"),
  chooseProfile: admin("choose who answers the requests of agents"),
  listRegistry: view("list the registry"),
  refreshRegistry: admin("load the registry"),
  installAgent: admin("install agents"),
  listAgentSessions: operate("list the sessions of agents"),
  changeAgentSession: needOfSessionChange,
  listAgentModels: operate("list the models of agents"),
  signInState: operate("ask who is signed in"),
  signIn: admin("sign in to agents"),
  signInInput: admin("sign in to agents"),
  signOut: admin("sign out of agents"),
  listComponents: view("list components"),
  listResearch: view("read earlier research of packages"),
  listMcpServers: view("list MCP servers"),
  conformanceReport: view("read conformance reports"),
  probeAgent: operate("probe agents"),
  readAudit: view("read the audit log"),
  countRules: view("count what rules did"),
  replayRule: view("try rules on the audit log"),
  watchRules: view("list rules"),
  addRule: admin("add rules"),
  removeRule: admin("remove rules"),
  trustProject: admin("trust the rules of projects"),
  // A project's rules can only deny and ask, so an agent may do more without them.
  untrustProject: admin("take the rules of projects out of force"),
  // It follows paths of the whole machine.
  explainCommand: operate("try commands on the rules"),
  // Whoever reads a thread reads its files. What is written there may be run by an agent or a person.
  watchDocument: needOfWatching,
  // Only names below the folder of the thread.
  watchFolder: view("read files of threads"),
  takeOverDocument: operate("edit files of threads"),
  saveDocument: operate("edit files of threads"),
  mergeDocument: operate("edit files of threads"),
  // Starts an agent, which gets the text of files.
  watchSuggestions: operate("get suggestions"),
  // It names a folder of the machine, as new threads do.
  watchFolderSuggestions: operate("get suggestions"),
  reportDocuments: operate("get suggestions"),
  suggestEdits: operate("get suggestions"),
  endSuggestion: operate("get suggestions"),
  setSuggestionSetting: operate("get suggestions"),
  // It asks no other agent than the settings name.
  turnSuggestions: operate("turn suggestions off or on"),
  suggestionPlaces: operate("get suggestions"),
  suggestionSent: operate("get suggestions"),
  // A language server may run code of the project.
  watchLanguage: operate("ask language servers"),
  reportToLanguage: operate("ask language servers"),
  hover: operate("ask language servers"),
  findDefinitions: operate("ask language servers"),
  findReferences: operate("ask language servers"),
  turnLanguageServer: admin("turn language servers on or off"),
  // A draft holds what people have not said yet, so it is for those who may send it.
  watchDraft: operate("write prompts"),
  saveDraft: operate("write prompts"),
  attachToDraft: operate("write prompts"),
  readAttachment: operate("write prompts"),
  // What an editor answers is what an agent reads, and it gets what an agent writes and runs.
  watchEditorCalls: operate("be the editor of threads"),
  answerEditorCall: operate("be the editor of threads"),
  // New threads need these two. They name files of the whole machine.
  listDirectory: operate("list folders"),
  searchFiles: operate("search files")
} as const satisfies Record<RpcTag, RpcNeed>

const needs = new Map<string, RpcNeed>(Object.entries(rpcScopes))

/** The need of one call. A call without an entry needs `admin`. */
export const scopeNeedOf = (tag: string, payload: unknown): ScopeNeed => {
  const found = needs.get(tag) ?? unread
  return typeof found === "function" ? found(payload) : found
}
