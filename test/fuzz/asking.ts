// Plain requests of a caller with a key, for attacks that are about answers and their cost.
import type { Subject } from "./subject.ts";

/** The result of one kind of greed. */
export interface Tried {
  errors: string[];
  tried: number;
}

export interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
  cost: number;
}

export async function ask(
  { url }: Pick<Subject, "url">,
  key: string,
  path: string,
  more: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const response = await fetch(`${url}${path}`, {
    method: more.method ?? "GET",
    headers: {
      authorization: `Bearer ${key}`,
      ...(more.body === undefined ? {} : { "content-type": "application/json" }),
      ...more.headers,
    },
    ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? {} : JSON.parse(text),
    cost: Number(response.headers.get("x-credits-cost")),
  };
}

export async function remaining(subject: Pick<Subject, "url">, key: string): Promise<number> {
  const { body } = await ask(subject, key, "/v2/me");
  return (body.credits as { remaining: number }).remaining;
}
