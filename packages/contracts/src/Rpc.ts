/** The calls of pages and other clients to the server, over one WebSocket at `/rpc`. */
import * as Schema from "effect/Schema"
import {
  HoverAnswer,
  LanguageFrame,
  LanguagePage,
  LanguageQuestion,
  LanguageServerId,
  LocationsAnswer
} from "./LanguageFeatures.ts"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import { AgentModels } from "./AgentModel.ts"
import { AuditFilter, AuditPage, mostAuditRows, RuleCount, RuleReplay } from "./Audit.ts"
import { AgentSessionChange, AgentSessionChanged, AgentSessionFilter, AgentSessionsFrame } from "./AgentSession.ts"
import { ClientId, ClientName, ClientsReport, Invited, NewInvitation } from "./ClientList.ts"
import { ClientScope, OutOfScope } from "./ClientScope.ts"
import { CommandEnvelope, CommandRejected, Receipt } from "./Command.ts"
import { ConformanceFrame, ConformanceReport } from "./Conformance.ts"
import { Directory, DirectoryUnreadable } from "./Directory.ts"
import {
  DocumentAddress,
  DocumentFrame,
  DocumentMerged,
  DocumentSaved,
  DocumentToMerge,
  DocumentToSave,
  PageId
} from "./Documents.ts"
import { PromptPart } from "./Content.ts"
import { AttachmentId, Draft, DraftSaved, DraftToSave } from "./Draft.ts"
import { EditorAnswer, EditorAnswered, EditorAtThread, EditorCallId, EditorFrame } from "./EditorCall.ts"
import { FolderFrame } from "./FolderEntries.ts"
import { FileSearchQuery, FoundFiles } from "./FileSearch.ts"
import { Health } from "./Health.ts"
import { Cursor, ItemId, ProviderId, ResumeToken, Sequence, SignInId, ThreadId, Timestamp } from "./Ids.ts"
import { Judgement, RuleRef } from "./Judgement.ts"
import { KeptResearchList } from "./KeptResearch.ts"
import { McpServerInfo } from "./McpServer.ts"
import { PermissionProfile, ProviderStatus } from "./Provider.ts"
import { InstallFrame, InstallRequest, RegistryListing } from "./Registry.ts"
import { AddedRule, CommandToExplain, NewRule, RulesReport } from "./Rules.ts"
import { RememberedFilter, RememberedSetting } from "./RememberedSetting.ts"
import { ComponentInfo } from "./SessionChain.ts"
import { SettingValue } from "./SessionSetting.ts"
import { SettingsReport } from "./SettingsReport.ts"
import { SignInFrame, SignInInput, SignInOver, SignInState, TerminalSize } from "./SignIn.ts"
import { OutputNotFound, ThreadChanged, ThreadNotFound, ThreadUnreadable } from "./ThreadErrors.ts"
import { ThreadPage } from "./ThreadView.ts"
import { DocumentReport, mostReports, ReportsTaken } from "./DocumentReport.ts"
import {
  PageOfFolder,
  PageOfThread,
  SuggestedPlaces,
  SuggestionAnswer,
  SuggestionEnd,
  SuggestionId,
  SuggestionPage,
  SuggestionQuestion,
  SuggestionSent,
  SuggestionsFrame
} from "./Suggestions.ts"
import { Refused } from "./Refused.ts"
import { ServerInfo } from "./ServerInfo.ts"
import { ThreadFrame, ThreadPosition, ThreadsFrame } from "./ThreadFrame.ts"
import { RequestsFrame } from "./Waiting.ts"
import { mostWireLines, mostWireRows, WireAddress, WireFrame, WireLine } from "./Wire.ts"

/** Most bytes that a client accepts in one message. Older databases have long messages in one piece. */
export const maxFrameBytes = 256 * 1024 * 1024

/** Turns in a snapshot or a page: the default, and the most. */
export const defaultTurnLimit = 20
const maxTurnLimit = 200
const TurnLimit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxTurnLimit }))

/** The most folders whose rules one call watches. */
const maxRulesFolders = 100

/** Refuses calls that need a wider scope than their client has. Every call passes it: see `RpcScopes`. */
export class ScopeCheck extends RpcMiddleware.Service<ScopeCheck>()("@signalbox/contracts/Rpc/ScopeCheck", {
  error: OutOfScope
}) {}

export class SignalboxRpc extends RpcGroup.make(
  Rpc.make("hello", { success: ServerInfo }),
  Rpc.make("send", { payload: CommandEnvelope, success: Receipt, error: CommandRejected }),
  Rpc.make("watchThreads", { success: ThreadsFrame, stream: true }),
  /** Watches the open requests of all threads. */
  Rpc.make("watchRequests", { success: RequestsFrame, stream: true }),
  Rpc.make("watchThread", {
    payload: {
      threadId: ThreadId,
      after: Schema.optionalKey(ThreadPosition),
      /** The number of turns in a snapshot. */
      turnLimit: Schema.optionalKey(TurnLimit)
    },
    success: ThreadFrame,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable]),
    stream: true
  }),
  /** Reads the entries before a window of a thread. `before`: the window's `earlier`. */
  Rpc.make("readEarlier", {
    payload: { threadId: ThreadId, before: Cursor, turnLimit: Schema.optionalKey(TurnLimit) },
    success: ThreadPage,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable])
  }),
  /** Reads the entries from `from`, or from the first, up to those that begin at `until`. */
  Rpc.make("readLater", {
    payload: { threadId: ThreadId, from: Schema.optionalKey(Cursor), until: Cursor },
    success: ThreadPage,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable])
  }),
  /** Reads a long text of a tool call from its beginning, in pieces. */
  Rpc.make("readOutput", {
    payload: { threadId: ThreadId, itemId: ItemId, part: Schema.String },
    success: Schema.String,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable, OutputNotFound]),
    stream: true
  }),
  /**
   * Reads the whole thread as lines of JSON: first its description, then its turns and entries, each with its whole
   * text.
   */
  Rpc.make("exportThread", {
    payload: { threadId: ThreadId },
    success: Schema.String,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable]),
    stream: true
  }),
  /**
   * Watches what goes over the wire of a session: the latest of what was recorded, then what comes. `most`: the rows that are
   * sent first. Ends if there is no record.
   */
  Rpc.make("watchWire", {
    payload: {
      ...WireAddress.fields,
      most: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostWireRows }))
    },
    success: WireFrame,
    error: Refused,
    stream: true
  }),
  /** Reads lines of the wire as they were recorded, without secrets. */
  Rpc.make("readWire", {
    payload: {
      ...WireAddress.fields,
      lines: Schema.Array(Schema.Int).check(Schema.isMaxLength(mostWireLines))
    },
    success: Schema.Array(WireLine),
    error: Refused
  }),
  /**
   * Ends the thread's agent and deletes its data: log, output and tapes. A missing thread counts as deleted. With
   * `ifSequence`, deletes only if nothing was logged after that place.
   */
  Rpc.make("deleteThread", {
    payload: { threadId: ThreadId, ifSequence: Schema.optionalKey(Sequence) },
    error: Schema.Union([ThreadUnreadable, ThreadChanged])
  }),
  /** Watches the health: now, and then every few seconds. */
  Rpc.make("watchHealth", { success: Health, stream: true }),
  /** Watches the agents of this machine: now, and after every change. */
  Rpc.make("watchProviders", { success: Schema.Array(ProviderStatus), stream: true }),
  Rpc.make("checkProviders"),
  /** Lists the settings that people chose last for agents in folders. New threads begin with them. */
  Rpc.make("listRememberedSettings", {
    payload: { filter: RememberedFilter },
    success: Schema.Array(RememberedSetting),
    error: Refused
  }),
  /** Stores settings for an agent in a folder, outside of threads. New threads there begin with them. */
  Rpc.make("rememberSettings", {
    payload: { providerId: ProviderId, cwd: Schema.String, settings: Schema.Record(Schema.String, SettingValue) },
    error: Refused
  }),
  /** Forgets stored settings, and returns their number. Existing threads keep their settings. */
  Rpc.make("forgetSettings", {
    payload: { filter: RememberedFilter },
    success: Schema.Int,
    error: Refused
  }),
  /** Watches the clients and invitations: now, and after every change. */
  Rpc.make("watchClients", { success: ClientsReport, stream: true }),
  /** Invites a page. Its token can be used once. */
  Rpc.make("inviteClient", { payload: NewInvitation, success: Invited, error: Refused }),
  /** Changes a client's name or scope. A name of null is removed. A change of scope ends its connections. */
  Rpc.make("changeClient", {
    payload: {
      id: ClientId,
      name: Schema.optionalKey(Schema.NullOr(ClientName)),
      scope: Schema.optionalKey(ClientScope)
    },
    error: Refused
  }),
  /** Revokes a client, or withdraws an invitation. The client's connections end within seconds. */
  Rpc.make("revokeClient", { payload: { id: ClientId }, error: Refused }),
  /** Revokes every client, including the caller, and every invitation. Their connections end within seconds. */
  Rpc.make("revokeAllClients", { error: Refused }),
  /** Watches the settings file: now, and after every change. */
  Rpc.make("watchSettings", { success: SettingsReport, stream: true }),
  /** Chooses in the settings who answers an agent's requests that no rule answers. It counts at once, in all its sessions. */
  Rpc.make("chooseProfile", { payload: { providerId: ProviderId, profile: PermissionProfile }, error: Refused }),
  /** Lists the agents of the registry, as far as it is stored here. Loads nothing. */
  Rpc.make("listRegistry", { success: RegistryListing, error: Refused }),
  /** Loads the registry again. */
  Rpc.make("refreshRegistry", { success: RegistryListing, error: Refused }),
  /**
   * Installs an agent as planned, and adds it to the settings. Ending the stream before its last frame stops the
   * installation.
   */
  Rpc.make("installAgent", { payload: InstallRequest, success: InstallFrame, error: Refused, stream: true }),
  /** Lists the sessions that an agent stores. The stream ends after the last. */
  Rpc.make("listAgentSessions", {
    payload: { providerId: ProviderId, filter: AgentSessionFilter },
    success: AgentSessionsFrame,
    error: Refused,
    stream: true
  }),
  Rpc.make("changeAgentSession", {
    payload: { providerId: ProviderId, sessionId: ResumeToken, change: AgentSessionChange },
    success: AgentSessionChanged,
    error: Refused
  }),
  /** Lists an agent's models without a session. Null if the agent lists none. Starts the agent. */
  Rpc.make("listAgentModels", {
    payload: { providerId: ProviderId },
    success: Schema.NullOr(AgentModels),
    error: Refused
  }),
  /** The sign-in methods of an agent, and who is signed in. Starts the agent. */
  Rpc.make("signInState", { payload: { providerId: ProviderId }, success: SignInState, error: Refused }),
  /**
   * Signs in by one of the agent's methods. `size`: for a method that needs a terminal. Ending the stream stops the
   * attempt.
   */
  Rpc.make("signIn", {
    payload: { providerId: ProviderId, methodId: Schema.String, size: Schema.optionalKey(TerminalSize) },
    success: SignInFrame,
    stream: true
  }),
  Rpc.make("signInInput", {
    payload: { signInId: SignInId, input: SignInInput },
    error: Schema.Union([SignInOver, Refused])
  }),
  /** Signs out of an agent. Its sessions may ask for a sign-in again. */
  Rpc.make("signOut", { payload: { providerId: ProviderId }, error: Refused }),
  /** Lists the components that the settings name for an agent, in their order: nearest to people first. */
  Rpc.make("listComponents", { payload: { providerId: ProviderId }, success: Schema.Array(ComponentInfo) }),
  /** Lists what researchers of an agent's components have found for sessions in a folder. Refuses an agent that is not there. */
  Rpc.make("listResearch", {
    payload: { providerId: ProviderId, cwd: Schema.String },
    success: KeptResearchList,
    error: Refused
  }),
  /** Lists the servers of the Model Context Protocol that the settings have for a folder. */
  Rpc.make("listMcpServers", { payload: { cwd: Schema.String }, success: Schema.Array(McpServerInfo) }),
  /** The latest conformance report of an agent. Null if it was never probed. */
  Rpc.make("conformanceReport", { payload: { providerId: ProviderId }, success: Schema.NullOr(ConformanceReport) }),
  /** Probes an agent; the report comes last. `model`: whether its model may be asked, which may cost money. */
  Rpc.make("probeAgent", {
    payload: { providerId: ProviderId, model: Schema.Boolean },
    success: ConformanceFrame,
    error: Refused,
    stream: true
  }),
  /** Reads decisions of the audit log, latest first. `before`: the `next` of the page before. The default limit is 100. */
  Rpc.make("readAudit", {
    payload: {
      filter: AuditFilter,
      before: Schema.optionalKey(Schema.Int),
      limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostAuditRows })))
    },
    success: AuditPage,
    error: Refused
  }),
  /** Counts what each rule did since a moment. Rules that did nothing are not in the list. */
  Rpc.make("countRules", { payload: { since: Timestamp }, success: Schema.Array(RuleCount), error: Refused }),
  /** What a rule would have made of the recorded requests, beside the rules in force. `rule`: as JSON, as in a rules file. */
  Rpc.make("replayRule", {
    payload: { rule: Schema.String, since: Timestamp },
    success: RuleReplay,
    error: Refused
  }),
  /**
   * Watches the rules files that count in some folders: now, and after every change. A file that counts in several is there
   * once.
   */
  Rpc.make("watchRules", {
    payload: { folders: Schema.Array(Schema.String).check(Schema.isMaxLength(maxRulesFolders)) },
    success: RulesReport,
    stream: true
  }),
  /** Adds a rule to the person's own file. Refuses if the file has a fault. */
  Rpc.make("addRule", { payload: NewRule, success: AddedRule, error: Refused }),
  /** Takes a rule out of the person's own file. Refuses if it no longer stands where the caller saw it. */
  Rpc.make("removeRule", { payload: { rule: RuleRef }, error: Refused }),
  /** Puts the rules of a project's file in force. Refuses if the file is not what the caller saw. */
  Rpc.make("trustProject", { payload: { path: Schema.String, hash: Schema.String }, error: Refused }),
  /** Takes the rules of a project's file out of force. */
  Rpc.make("untrustProject", { payload: { path: Schema.String }, error: Refused }),
  /** Judges a command line by the rules in force. Nothing is run, and nobody is asked. */
  Rpc.make("explainCommand", { payload: CommandToExplain, success: Judgement }),
  /**
   * Watches a text file of a thread: now, and after every change. `write`: whether this page wants to edit it. One page
   * edits a file at a time, the first one.
   */
  Rpc.make("watchDocument", {
    payload: { ...DocumentAddress.fields, page: PageId, write: Schema.Boolean },
    success: DocumentFrame,
    error: Refused,
    stream: true
  }),
  /** Lets a page edit a file that another page edits. The other page reads it from then on. */
  Rpc.make("takeOverDocument", { payload: { ...DocumentAddress.fields, page: PageId }, error: Refused }),
  /** Saves a text file at once, and only over the text that it was made from. */
  Rpc.make("saveDocument", { payload: DocumentToSave, success: DocumentSaved, error: Refused }),
  /** Merges a text with what is on the disk. Writes nothing. */
  Rpc.make("mergeDocument", { payload: DocumentToMerge, success: DocumentMerged, error: Refused }),
  /** Watches the suggestions for files of a thread. They are made for a page as long as it watches. */
  Rpc.make("watchSuggestions", {
    payload: PageOfThread,
    success: SuggestionsFrame,
    error: Refused,
    stream: true
  }),
  /** Watches the suggestions for files of a folder, as `watchSuggestions` does. No thread is needed, so none pauses them. */
  Rpc.make("watchFolderSuggestions", {
    payload: PageOfFolder,
    success: SuggestionsFrame,
    error: Refused,
    stream: true
  }),
  /** Reports what happens to a page's documents, in order. One batch at a time. Refuses if the page does not watch. */
  Rpc.make("reportDocuments", {
    payload: { ...SuggestionPage.fields, reports: Schema.Array(DocumentReport).check(Schema.isMaxLength(mostReports)) },
    success: ReportsTaken,
    error: Refused
  }),
  /** Asks for suggestions. Only the latest question is answered by some. Interrupting the call cancels it. */
  Rpc.make("suggestEdits", {
    payload: { ...SuggestionPage.fields, ...SuggestionQuestion.fields },
    success: SuggestionAnswer,
    error: Refused
  }),
  /** Ends a suggestion. `wasOpen`: false if it had ended before. */
  Rpc.make("endSuggestion", {
    payload: { ...SuggestionPage.fields, id: SuggestionId, end: SuggestionEnd },
    success: Schema.Struct({ wasOpen: Schema.Boolean }),
    error: Refused
  }),
  /**
   * Changes a setting of the agent for suggestions, for all pages with the same agent and folder. Its next sessions
   * there begin with it.
   */
  Rpc.make("setSuggestionSetting", {
    payload: { ...SuggestionPage.fields, settingId: Schema.String, value: SettingValue },
    error: Refused
  }),
  /** Turns suggestions off or on for all pages, by the settings. The agent that these name stays named. */
  Rpc.make("turnSuggestions", { payload: { on: Schema.Boolean }, error: Refused }),
  /** The places that an open suggestion is about. Nothing is changed. */
  Rpc.make("suggestionPlaces", {
    payload: { ...SuggestionPage.fields, id: SuggestionId },
    success: SuggestedPlaces,
    error: Refused
  }),
  /** What was sent for a suggestion, or without `id` for the latest question. The latest 20 questions are kept. */
  Rpc.make("suggestionSent", {
    payload: { ...SuggestionPage.fields, id: Schema.optionalKey(SuggestionId) },
    success: SuggestionSent,
    error: Refused
  }),
  /** Watches what language servers know of the files that a page reports. They run for a page as long as it watches. */
  Rpc.make("watchLanguage", { payload: LanguagePage, success: LanguageFrame, error: Refused, stream: true }),
  /** Reports what happens to a page's documents to language servers, in order. One batch at a time. Refuses if the page does not watch. */
  Rpc.make("reportToLanguage", {
    payload: { ...LanguagePage.fields, reports: Schema.Array(DocumentReport).check(Schema.isMaxLength(mostReports)) },
    success: ReportsTaken,
    error: Refused
  }),
  /** Asks what stands at a place. Interrupting the call cancels it. */
  Rpc.make("hover", {
    payload: { ...LanguagePage.fields, ...LanguageQuestion.fields },
    success: HoverAnswer,
    error: Refused
  }),
  /** Asks where what stands at a place is defined. */
  Rpc.make("findDefinitions", {
    payload: { ...LanguagePage.fields, ...LanguageQuestion.fields },
    success: LocationsAnswer,
    error: Refused
  }),
  /** Asks where what stands at a place is used, with its definition. */
  Rpc.make("findReferences", {
    payload: { ...LanguagePage.fields, ...LanguageQuestion.fields },
    success: LocationsAnswer,
    error: Refused
  }),
  /** Turns a language server on or off for all threads, by the settings. */
  Rpc.make("turnLanguageServer", { payload: { id: LanguageServerId, on: Schema.Boolean }, error: Refused }),
  /** Watches a folder of a thread: now, and after every change. `path`: absolute, or from the folder of the thread, which is "". */
  Rpc.make("watchFolder", { payload: DocumentAddress, success: FolderFrame, error: Refused, stream: true }),
  /** Watches the draft of a thread: now, and after every change. */
  Rpc.make("watchDraft", { payload: { threadId: ThreadId }, success: Draft, error: Refused, stream: true }),
  /** Saves the draft of a thread over the revision that it was made from. */
  Rpc.make("saveDraft", { payload: DraftToSave, success: DraftSaved, error: Refused }),
  /** Stores the content of a file for the draft of a thread, before a save names it. */
  Rpc.make("attachToDraft", {
    payload: { threadId: ThreadId, id: AttachmentId, part: PromptPart },
    error: Refused
  }),
  Rpc.make("readAttachment", {
    payload: { threadId: ThreadId, id: AttachmentId },
    success: PromptPart,
    error: Refused
  }),
  /** Attaches an editor to a thread while the stream is read: its agent's files and terminals are asked of the editor. */
  Rpc.make("watchEditorCalls", { payload: EditorAtThread, success: EditorFrame, error: Refused, stream: true }),
  Rpc.make("answerEditorCall", {
    payload: { threadId: ThreadId, callId: EditorCallId, answer: EditorAnswer },
    success: EditorAnswered
  }),
  Rpc.make("listDirectory", { payload: { path: Schema.String }, success: Directory, error: DirectoryUnreadable }),
  /** Finds files to mention in a prompt. */
  Rpc.make("searchFiles", { payload: FileSearchQuery, success: FoundFiles })
).middleware(ScopeCheck) {}
