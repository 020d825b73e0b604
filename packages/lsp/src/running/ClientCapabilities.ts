/** States what we understand. Servers answer accordingly, so nothing is claimed that isn't implemented. */
import type { ClientCapabilities, CompletionItemKind, SymbolKind, SymbolTag } from "vscode-languageserver-protocol"

const symbolKinds: Array<SymbolKind> = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
]
const symbolTags: Array<SymbolTag> = [1]
const completionKinds: Array<CompletionItemKind> = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
]

const navigation = { dynamicRegistration: true, linkSupport: true }
const dynamic = { dynamicRegistration: true }

/** @param appliesEdits whether somebody decides about changes that servers want to make by themselves */
export const clientCapabilities = (appliesEdits: boolean) =>
  ({
    general: {
      // The first one is what servers choose that leave the choice to us.
      positionEncodings: ["utf-16", "utf-8", "utf-32"],
      staleRequestSupport: { cancel: true, retryOnContentModified: [] }
    },
    workspace: {
      applyEdit: appliesEdits,
      workspaceEdit: {
        documentChanges: true,
        resourceOperations: ["create", "rename", "delete"],
        failureHandling: "abort",
        normalizesLineEndings: false
      },
      configuration: true,
      didChangeConfiguration: dynamic,
      didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
      workspaceFolders: true,
      symbol: {
        dynamicRegistration: true,
        symbolKind: { valueSet: symbolKinds },
        tagSupport: { valueSet: symbolTags },
        resolveSupport: { properties: ["location.range"] }
      },
      executeCommand: dynamic,
      diagnostics: { refreshSupport: true }
    },
    textDocument: {
      synchronization: { dynamicRegistration: true, willSave: true, willSaveWaitUntil: true, didSave: true },
      publishDiagnostics: {
        relatedInformation: true,
        tagSupport: { valueSet: [1, 2] },
        versionSupport: true,
        codeDescriptionSupport: true,
        dataSupport: true
      },
      diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
      hover: { dynamicRegistration: true, contentFormat: ["markdown", "plaintext"] },
      signatureHelp: {
        dynamicRegistration: true,
        signatureInformation: {
          documentationFormat: ["markdown", "plaintext"],
          parameterInformation: { labelOffsetSupport: true },
          activeParameterSupport: true
        }
      },
      definition: navigation,
      declaration: navigation,
      typeDefinition: navigation,
      implementation: navigation,
      references: dynamic,
      documentSymbol: {
        dynamicRegistration: true,
        hierarchicalDocumentSymbolSupport: true,
        symbolKind: { valueSet: symbolKinds },
        tagSupport: { valueSet: symbolTags }
      },
      completion: {
        dynamicRegistration: true,
        contextSupport: true,
        completionItem: {
          snippetSupport: false,
          commitCharactersSupport: false,
          documentationFormat: ["markdown", "plaintext"],
          deprecatedSupport: true,
          preselectSupport: true,
          insertReplaceSupport: true,
          tagSupport: { valueSet: [1] },
          resolveSupport: { properties: ["documentation", "detail", "additionalTextEdits"] }
        },
        completionItemKind: { valueSet: completionKinds },
        completionList: { itemDefaults: ["editRange", "insertTextFormat", "data"] }
      },
      codeAction: {
        dynamicRegistration: true,
        codeActionLiteralSupport: {
          codeActionKind: {
            valueSet: [
              "",
              "quickfix",
              "refactor",
              "refactor.extract",
              "refactor.inline",
              "refactor.rewrite",
              "source",
              "source.organizeImports",
              "source.fixAll"
            ]
          }
        },
        isPreferredSupport: true,
        disabledSupport: true,
        dataSupport: true,
        resolveSupport: { properties: ["edit", "command"] }
      },
      codeLens: dynamic,
      formatting: dynamic,
      rangeFormatting: dynamic,
      onTypeFormatting: dynamic,
      rename: { dynamicRegistration: true, prepareSupport: true },
      inlayHint: dynamic,
      semanticTokens: {
        dynamicRegistration: true,
        requests: { range: true, full: { delta: true } },
        tokenTypes: [
          "namespace",
          "type",
          "class",
          "enum",
          "interface",
          "struct",
          "typeParameter",
          "parameter",
          "variable",
          "property",
          "enumMember",
          "event",
          "function",
          "method",
          "macro",
          "keyword",
          "modifier",
          "comment",
          "string",
          "number",
          "regexp",
          "operator",
          "decorator"
        ],
        tokenModifiers: [
          "declaration",
          "definition",
          "readonly",
          "static",
          "deprecated",
          "abstract",
          "async",
          "modification",
          "documentation",
          "defaultLibrary"
        ],
        formats: ["relative"],
        overlappingTokenSupport: false,
        multilineTokenSupport: false
      }
    },
    window: {
      workDoneProgress: true,
      showMessage: { messageActionItem: { additionalPropertiesSupport: false } },
      showDocument: { support: false }
    },
    experimental: { serverStatusNotification: true }
  }) satisfies ClientCapabilities
