// One request to a platform server and nothing more: no retry, no redirect, no answer above the size limit. The signal
// ends it at any point, even within the body. Its errors contain no address and no text from the other side.
import { readBody } from "../../kit/body.ts";
import { UNKNOWN_SUBJECT } from "../../protocol/server/serve.ts";
import type { Outcome } from "./port.ts";

/** The longest answer of the protocol, a page of 1,000 feed items, is under 1 MiB; a hostile one is cut off here. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

export type HttpAttempt = Outcome<unknown> & {
  /** Worth an immediate retry: the request never got through, or a proxy reported that. */
  retryable?: boolean;
};

interface GetOptions {
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Whether to use, and leave behind, a pooled connection. */
  keepalive: boolean;
}

export async function get(url: string, { headers, signal, keepalive }: GetOptions): Promise<HttpAttempt> {
  let response: Response;
  try {
    response = await fetch(url, { headers, signal, keepalive, redirect: "manual", decompress: false });
  } catch {
    return { kind: "failed", reason: "unreachable", retryable: true };
  }
  const refusal = refuse(response);
  if (refusal) {
    discard(response);
    return refusal;
  }
  const read = await readBody(response, ANSWER_BYTES_MAX);
  if (read.kind === "tooLarge") {
    discard(response);
    return { kind: "failed", reason: "oversized", retryable: false };
  }
  if (read.kind === "cut") return { kind: "failed", reason: "unreachable", retryable: true };
  const value = parse(read.bytes);
  if (value === undefined) return { kind: "failed", reason: "malformed" };
  if (response.status === 200) return { kind: "found", value };
  if (response.status === 501)
    return hasError(value, "unsupported") ? { kind: "unsupported" } : { kind: "failed", reason: "status" };
  // A 404 without the protocol's error comes from a wrong address or a proxy: it says nothing about the subject.
  return hasError(value, UNKNOWN_SUBJECT) ? { kind: "notFound" } : { kind: "failed", reason: "status" };
}

function refuse(response: Response): HttpAttempt | null {
  const { status } = response;
  if (status === 502 || status === 503 || status === 504)
    return { kind: "failed", reason: "status", retryable: true };
  if (status >= 400 && status < 500 && status !== 404 && status !== 429)
    return { kind: "failed", reason: "refused" };
  if (status !== 200 && status !== 404 && status !== 501) return { kind: "failed", reason: "status" };
  const type = response.headers.get("content-type") ?? "";
  const encoding = response.headers.get("content-encoding") ?? "identity";
  if (!/^application\/json\b/i.test(type) || encoding !== "identity")
    return { kind: "failed", reason: status === 200 ? "malformed" : "status" };
  return null;
}

/** Releases the connection without reading the rest. */
function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function hasError(value: unknown, code: string): boolean {
  return typeof value === "object" && value !== null && "error" in value && value.error === code;
}
