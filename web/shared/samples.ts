// One request in the languages that people paste: each with the same address, method, key and body.

export interface SampleRequest {
  method: string;
  url: string;
  needsKey: boolean;
  body?: unknown;
}

export function curlOf({ method, url, needsKey, body }: SampleRequest): string {
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}"${url}"`];
  if (needsKey) lines.push('-H "Authorization: Bearer $CROWDTAPE_KEY"');
  if (body !== undefined) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  return lines.join(" \\\n  ");
}

export function typescriptOf({ method, url, needsKey, body }: SampleRequest): string {
  const headers = [
    ...(needsKey ? ['authorization: "Bearer " + CROWDTAPE_KEY'] : []),
    ...(body === undefined ? [] : ['"content-type": "application/json"']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(", ")} },`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ];
  const asked = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  return `const answer = await fetch("${url}"${asked});
if (!answer.ok) throw new Error((await answer.json()).message);
const body = await answer.json();`;
}

export function pythonOf({ method, url, needsKey, body }: SampleRequest): string {
  const parts = [
    `    "${url}",`,
    ...(needsKey ? ['    headers={"Authorization": f"Bearer {os.environ[\'CROWDTAPE_KEY\']}"},'] : []),
    ...(body === undefined ? [] : [`    json=${pythonValue(body)},`]),
    "    timeout=10,",
  ];
  return `import os, requests

answer = requests.${method.toLowerCase()}(
${parts.join("\n")}
)
answer.raise_for_status()
body = answer.json()`;
}

/** JSON except for three words. */
function pythonValue(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([name, part]) => `${JSON.stringify(name)}: ${pythonValue(part)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
}
