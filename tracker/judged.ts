// The operator's verdicts on tokens, sent over the wire by a service that follows this tracker. Both share a secret, because
// verdicts decide what counts as profit.
import { readBody } from "../kit/body.ts";
import { normaliseAddress } from "../protocol/values.ts";
import type { SaidOfToken } from "./books/verdicts.ts";
import { sameText } from "./same-text.ts";

export const VERDICTS_PATH = "/tracker/verdicts";
export const SECRET_HEADER = "x-tracker-secret";
/** Per message: some 20 KB. */
export const VERDICTS_MAX = 200;
const BODY_BYTES_MAX = 64 * 1024;

export interface JudgedParts {
  /** Null: verdicts are not accepted. */
  secret: string | null;
  judge(said: readonly SaidOfToken[]): Promise<void>;
  /** Identifies these books, so that a service notices when it talks to different ones. */
  source(): Promise<string>;
}

export async function answerVerdicts(request: Request, parts: JudgedParts): Promise<Response> {
  if (parts.secret === null) return Response.json({ error: "unknown_path" }, { status: 404 });
  if (request.method !== "POST")
    return Response.json({ error: "bad_method" }, { status: 405, headers: { allow: "POST" } });
  if (!sameText(request.headers.get(SECRET_HEADER) ?? "", parts.secret))
    return Response.json({ error: "unauthorized" }, { status: 401 });
  const read = await readBody(request, BODY_BYTES_MAX);
  if (read.kind !== "whole") return Response.json({ error: "too_large" }, { status: 413 });
  const said = saidIn(new TextDecoder().decode(read.bytes));
  if (said === null) return Response.json({ error: "bad_input" }, { status: 400 });
  if (said.length > 0) await parts.judge(said);
  return Response.json({ source: await parts.source() });
}

/** All or nothing. */
function saidIn(text: string): SaidOfToken[] | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(body) || body.length > VERDICTS_MAX) return null;
  const said = body.map(saidOf);
  return said.includes(null) ? null : said.filter((each) => each !== null);
}

function saidOf(value: unknown): SaidOfToken | null {
  if (typeof value !== "object" || value === null) return null;
  const { chainId, token, verdict } = value as Record<string, unknown>;
  const address = typeof token === "string" ? normaliseAddress(token) : null;
  if (address === null || typeof chainId !== "number" || !Number.isSafeInteger(chainId)) return null;
  return verdict === "spam" || verdict === "fine" || verdict === null
    ? { chainId, token: address, verdict }
    : null;
}
