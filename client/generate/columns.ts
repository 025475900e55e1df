// The columns of an exported row, read from its list's shape: nested objects become dotted names, so a field that is absent in
// the first row still has its column.
import type { Json } from "../../contract/json-schema.ts";
import { readOperations, resolve } from "./operations.ts";

const EXPORTED = [
  "listTrades",
  "listFills",
  "listTraders",
  "listSwaps",
  "listPositions",
  "listAlerts",
  "listTheses",
  "listCandles",
];

export function writeColumns(): string {
  const { operations, schemas } = readOperations();
  const rows = EXPORTED.map((id) => {
    const operation = operations.find(({ route }) => route.id === id);
    if (!operation?.walk?.rows) throw new Error(`${id} has no rows to export`);
    const { properties } = resolve(operation.answer, schemas) as { properties: Record<string, Json> };
    const item = (properties[operation.walk.rows]?.items ?? {}) as Json;
    return `  ${id}: ${JSON.stringify([...new Set(columnsOf(item, schemas, ""))])},\n`;
  });
  return `// Written by \`npm run client:types\` from the contract. Do not edit: client/generate/ is where it comes from.
export const COLUMNS = {\n${rows.join("")}} as const;\n`;
}

function columnsOf(schema: Json, schemas: Record<string, Json>, prefix: string): string[] {
  const whole = resolve(schema, schemas);
  const options = (whole.anyOf ?? whole.oneOf) as Json[] | undefined;
  if (options) return options.flatMap((each) => columnsOf(each, schemas, prefix));
  const properties = Object.entries((whole.properties ?? {}) as Record<string, Json>);
  if (properties.length === 0) return prefix === "" || whole.type === "null" ? [] : [prefix];
  return properties.flatMap(([name, field]) =>
    columnsOf(field, schemas, prefix === "" ? name : `${prefix}.${name}`),
  );
}
