// Rules for every answer, whatever was requested: a declared status, a body of the documented shape, the one error shape, no
// price for a refusal, and no internals or anybody's key.
import { gunzipSync } from "node:zlib";
import type { Attack } from "./attacks.ts";
import type { Documents } from "./documents.ts";
import type { Seen } from "./values.ts";
import type { WireAnswer } from "./wire.ts";

/** The interface's own limit for a body. */
const BODY_BYTES_MAX = 2_000_000;
/** Traces of internals: a stack, one of our paths, a driver's message. */
const INSIDE =
  /\n\s+at |node_modules|\/service\/|\.ts:\d|SQLITE_|SQLiteError|ZodError|TypeError|RangeError|ReferenceError/;

export interface Judge {
  /** The answer's errors; empty for a valid one. */
  judge(attack: Attack, answer: WireAnswer | null): string[];
  /** The total cost stated by the answers so far. */
  costs(): number;
  /** Replays that were only accepted: their cost is stated once they are done. */
  accepted(): string[];
  /** How many requests got no answer, so that their cost is unknown. */
  cut(): number;
  answers: Map<number, number>;
}

export function createJudge(documents: Documents, secrets: readonly string[], seen: Seen): Judge {
  const { checkAnswer, errorSchema } = documents;
  let costs = 0;
  let cut = 0;
  const answers = new Map<number, number>();
  const accepted = new Set<string>();
  const paid = new Set<string>();

  /** The same query may be accepted on one connection and paid for on another. */
  const noteReplay = (body: unknown, answer: WireAnswer): void => {
    const { id } = body as { id?: unknown };
    if (typeof id !== "string" || !id.startsWith("rpl_")) return;
    if (answer.status === 202) accepted.add(id);
    if (Number(answer.headers.get("x-credits-cost")) > 0) paid.add(id);
  };

  const judgeError = (attack: Attack, answer: WireAnswer, body: unknown): string[] => {
    const found = checkAnswer(errorSchema, body);
    if (found.length > 0) return found;
    const error = body as Record<string, unknown>;
    if (error.status !== answer.status) found.push(`the body says status ${error.status}`);
    if (error.requestId !== answer.headers.get("x-request-id")) found.push("the body names another request");
    if (error.error === "internal") found.push("an internal error");
    const cost = Number(answer.headers.get("x-credits-cost"));
    const mayCost = answer.status === 404 ? attack.operation.price.miss : 0;
    if (cost !== 0 && cost !== mayCost) found.push(`a refusal that cost ${cost}`);
    if ([429, 503].includes(answer.status) && !/^[1-9]\d*$/.test(answer.headers.get("retry-after") ?? ""))
      found.push("no Retry-After");
    return found;
  };

  const judgeBody = (attack: Attack, answer: WireAnswer): string[] => {
    if (attack.method === "HEAD" || answer.status === 204 || answer.status === 304) return [];
    const bytes = answer.headers.get("content-encoding") === "gzip" ? gunzipSync(answer.body) : answer.body;
    if (bytes.length > BODY_BYTES_MAX) return [`a body of ${bytes.length} bytes`];
    const text = bytes.toString();
    const found: string[] = [];
    if (INSIDE.test(text)) found.push(`tells of its inside: ${INSIDE.exec(text)?.[0]}`);
    if (secrets.some((secret) => text.includes(secret))) found.push("shows a key");
    const type = (answer.headers.get("content-type") ?? "").split(";")[0] ?? "";
    if (type !== "application/json") {
      const declared = attack.operation.answers.get(answer.status);
      if (!declared || !Object.hasOwn(declared, type)) found.push(`of the undeclared type ${type}`);
      return found;
    }
    const body = parse(text);
    if (body === undefined) return [...found, "not JSON"];
    if (answer.status >= 400) return [...found, ...judgeError(attack, answer, body)];
    noteReplay(body, answer);
    if (attack.mayStray) return found;
    harvest(body, seen);
    const schema = attack.operation.answers.get(answer.status)?.["application/json"];
    return schema ? [...found, ...checkAnswer(schema, body)] : [...found, "no such answer is declared"];
  };

  return {
    answers,
    costs: () => costs,
    cut: () => cut,
    accepted: () => [...accepted].filter((id) => !paid.has(id)),
    judge(attack, answer) {
      if (answer === null) {
        cut++;
        return attack.isMalformed ? [] : ["cut without an answer"];
      }
      const { status, headers } = answer;
      answers.set(status, (answers.get(status) ?? 0) + 1);
      const isBare = !headers.has("x-request-id");
      // Refused by the runtime, before it becomes a request.
      if (isBare && attack.isMalformed && status === 400 && answer.body.length === 0) return [];
      const found: string[] = [];
      if (isBare) found.push("without the headers that every answer has");
      if (status >= 500 && status !== 503) found.push(`a ${status}`);
      if (attack.isKeyed) costs += Number(headers.get("x-credits-cost") ?? 0);
      const isDeclared = attack.operation.answers.has(status);
      if (!isDeclared && !attack.mayStray) found.push(`the undeclared status ${status}`);
      return [...found, ...judgeBody(attack, answer)];
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Enough to request, few enough to hold. */
const SEEN_PER_NAME = 300;
const ROWS_HARVESTED = 5;

/** Remembers names from an answer, so that later requests can use existing ones. */
export function harvest(value: unknown, seen: Seen): void {
  if (Array.isArray(value)) for (const item of value.slice(0, ROWS_HARVESTED)) harvest(item, seen);
  else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "object") harvest(inner, seen);
      if (typeof inner !== "string" && typeof inner !== "number") continue;
      // A created key is another way in; using its id in requests would end the run.
      if (name === "key" || name === "secret") continue;
      const known = seen.get(name) ?? new Set();
      if (known.size < SEEN_PER_NAME) seen.set(name, known.add(String(inner)));
    }
  }
}
