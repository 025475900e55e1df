/** @jsxImportSource preact */
// Every call with its fields, its price, its answer, and its code in curl, TypeScript and Python.
import { useState } from "preact/hooks";
import { call } from "../shared/api.ts";
import { Card, Code, Tabs } from "../shared/bits.tsx";
import { copyText } from "../shared/copy.ts";
import { usePage } from "../shared/query.tsx";
import { curlOf, pythonOf, type SampleRequest, typescriptOf } from "../shared/samples.ts";
import { Empty } from "../shared/states.tsx";
import type { PlaygroundCall } from "./calls.ts";
import { key, refresh } from "./state.ts";

const LANGUAGES = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["python", "Python"],
] as const;
const WRITE = { curl: curlOf, typescript: typescriptOf, python: pythonOf };
/** An answer can be megabytes; showing its beginning is enough. */
const SHOWN_MAX = 50_000;

export function Playground() {
  const page = usePage();
  const { calls } = page.extra as { calls: PlaygroundCall[] };
  const [id, setId] = useState(calls[0]?.id ?? "");
  const chosen = calls.find((each) => each.id === id) ?? calls[0];
  const [typed, setTyped] = useState<Record<string, Record<string, string>>>({});
  const [language, setLanguage] = useState<(typeof LANGUAGES)[number][0]>("curl");
  const [answer, setAnswer] = useState<{ status: number; text: string; ms: number; cost: string } | null>(
    null,
  );
  const [isBusy, setBusy] = useState(false);
  if (!chosen) return null;
  const values: Record<string, string> = { ...chosen.example, ...typed[chosen.id] };
  const request = requestOf(chosen, values);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    const startedAt = performance.now();
    const loaded = await call(request.path, "key", {
      key: key.value,
      method: chosen.method,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const text = JSON.stringify(loaded.body, null, 2);
    const ms = Math.round(performance.now() - startedAt);
    setAnswer({
      status: loaded.status,
      text: text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}\n…` : text,
      ms,
      cost: priceOf(chosen),
    });
    setBusy(false);
    void refresh();
  };
  const sample = WRITE[language]({
    ...request,
    url: `${location.origin}${request.path}`,
    method: chosen.method,
    needsKey: chosen.needsKey,
  });
  return (
    <div class="console-grid">
      <Card title="Call" aside={<span class="chip">{priceOf(chosen)}</span>}>
        <form class="pad stack" onSubmit={send}>
          <label>
            <span>Call</span>
            <select
              value={chosen.id}
              onChange={(event) => {
                setId(event.currentTarget.value);
                setAnswer(null);
              }}
            >
              {calls.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.method} {each.path}: {each.summary}
                </option>
              ))}
            </select>
          </label>
          <p class="soft">{chosen.description}</p>
          {chosen.fields.map((field) => (
            <label key={`${chosen.id}${field.name}`}>
              <span>
                <code>{field.name}</code> {field.where === "path" ? "in the path" : ""}{" "}
                <span class="soft">{field.description}</span>
              </span>
              <input
                value={values[field.name] ?? ""}
                list={field.allowed ? `list-${chosen.id}-${field.name}` : undefined}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => {
                  const value = event.currentTarget.value;
                  setTyped((before) => ({
                    ...before,
                    [chosen.id]: { ...before[chosen.id], [field.name]: value },
                  }));
                }}
              />
              {field.allowed ? (
                <datalist id={`list-${chosen.id}-${field.name}`}>
                  {field.allowed.map((value) => (
                    <option key={value} value={value} />
                  ))}
                </datalist>
              ) : null}
            </label>
          ))}
          {chosen.body === undefined ? null : (
            <label>
              <span>
                <code>body</code> <span class="soft">JSON</span>
              </span>
              <textarea
                rows={5}
                value={values.$body ?? JSON.stringify(chosen.body, null, 2)}
                spellcheck={false}
                onInput={(event) => {
                  const value = event.currentTarget.value;
                  setTyped((before) => ({ ...before, [chosen.id]: { ...before[chosen.id], $body: value } }));
                }}
              />
            </label>
          )}
          <div class="actions">
            <button type="submit" disabled={isBusy}>
              {isBusy ? "Asking…" : "Send"}
            </button>
            <a class="button plain" href={`/docs#${chosen.id}`}>
              Reference
            </a>
          </div>
        </form>
      </Card>
      <div class="main-column">
        <Card
          title="As code"
          aside={
            <>
              <Tabs label="Language" values={LANGUAGES} current={language} onChoose={setLanguage} />
              <button type="button" class="plain small" onClick={() => void copyText(sample)}>
                Copy
              </button>
            </>
          }
        >
          <Code text={sample} />
        </Card>
        <Card
          title="Answer"
          aside={
            answer ? (
              <>
                <span class={`chip ${answer.status < 300 ? "green" : "red"}`}>
                  {answer.status === 0 ? "no answer" : answer.status}
                </span>
                <span class="chip">{answer.ms} ms</span>
              </>
            ) : undefined
          }
        >
          {answer ? <Code text={answer.text} tall /> : <Empty>Send the call to see its answer.</Empty>}
        </Card>
      </div>
    </div>
  );
}

function priceOf({ price }: PlaygroundCall): string {
  if (price.credits === 0) return "free";
  return `${price.credits.toLocaleString("en-US")} credits${price.unit === "call" ? "" : ` a ${price.unit}`}`;
}

function requestOf(
  chosen: PlaygroundCall,
  values: Record<string, string>,
): Pick<SampleRequest, "body"> & { path: string } {
  const query = new URLSearchParams();
  let path = chosen.path;
  for (const field of chosen.fields) {
    const value = (values[field.name] ?? "").trim();
    if (field.where === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(field.name, value);
  }
  const full = query.size > 0 ? `${path}?${query}` : path;
  if (chosen.body === undefined) return { path: full };
  return { path: full, body: parsed(values.$body, chosen.body) };
}

function parsed(text: string | undefined, usual: unknown): unknown {
  if (text === undefined) return usual;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
