// Where a call goes: the server's address without credentials, which must not be logged, and the path of each call with its
// parameters.
import { QUESTIONS } from "../../protocol/questions.ts";
import type { AskParameters, CallName } from "./ask.ts";

interface ServerAddress {
  /** No trailing slash, no credentials. */
  base: string;
  headers: Record<string, string>;
}

/** A user and password in the address become a header, because addresses get logged. */
export function readBaseUrl(baseUrl: string): ServerAddress {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RangeError("the upstream must be an http or https URL");
  const headers: Record<string, string> = { accept: "application/json", "accept-encoding": "identity" };
  if (url.username || url.password) {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  }
  return { base: `${url.origin}${url.pathname.replace(/\/+$/, "")}`, headers };
}

/**
 * The path with its query; null when a parameter can't be part of a path. No subject has such a name, encoded or not: an
 * empty one would mean the list, and dots would walk up the tree to another call.
 */
export function pathOf(name: CallName, parameters: AskParameters): string | null {
  const inPath = new Set<string>();
  let isPossible = true;
  const path = QUESTIONS[name].path.replace(/:(\w+)/g, (_, key: string) => {
    inPath.add(key);
    const value = String(parameters[key] ?? "");
    if (/^\.{0,2}$/.test(value)) isPossible = false;
    return encodeURIComponent(value.toWellFormed());
  });
  if (!isPossible) return null;
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters))
    if (value !== null && value !== undefined && !inPath.has(key))
      for (const each of Array.isArray(value) ? value : [value]) query.append(key, String(each));
  return query.size > 0 ? `${path}?${query}` : path;
}
