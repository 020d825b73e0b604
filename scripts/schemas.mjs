// `npm run schemas`: writes the JSON schemas of the files that people write by hand, for their editors.
import * as Schema from "effect/Schema"
import { writeFileSync } from "node:fs"
import { ChainConfig } from "../packages/contracts/src/ChainConfig.ts"
import { RulesDocument } from "../packages/permission/src/rules/Rule.ts"

const files = { "chain.schema.json": ChainConfig, "rules.schema.json": RulesDocument }

for (const [file, document] of Object.entries(files)) {
  const { schema } = Schema.toJsonSchemaDocument(document, { onExcessProperty: "error" })
  const content = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }
  writeFileSync(new URL(`../docs/${file}`, import.meta.url), `${JSON.stringify(content, null, 2)}\n`)
}
