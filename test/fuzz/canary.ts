// A key is used in every place where a client can put one, correctly or by mistake. If it shows up afterwards, other than with
// its user, it has leaked.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Subject } from "./subject.ts";
import { openSocket } from "./ws.ts";

/** The places where the canary was found. */
export async function flyCanary(subject: Subject, key: string): Promise<string[]> {
  const body = key.slice(key.lastIndexOf("_") + 1);
  const leaks: string[] = [];
  const sawIn = (place: string, text: string) => {
    if (text.includes(body)) leaks.push(place);
  };
  const bearer = { authorization: `Bearer ${key}` };
  const json = { "content-type": "application/json" };
  const wrong = `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(subject.url + path, init);
    const text = await response.text();
    for (const [name, value] of response.headers) sawIn(`the header ${name} of ${path}`, value);
    if (response.status >= 400) sawIn(`the refusal of ${init.method ?? "GET"} ${path}`, text);
  };

  // Correct uses.
  await ask("/v2/me", { headers: bearer });
  await ask("/v2/leaderboard/7d", { headers: bearer });
  const post = { method: "POST", headers: { ...bearer, ...json, "idempotency-key": "canary-1" } };
  await ask("/pay/create", { ...post, body: JSON.stringify({ plan: "credits", amount: 5 }) });
  await ask("/v2/stream-tickets", { ...post, body: "{}" });
  // Incorrect uses.
  for (const each of [key, wrong, key.replaceAll("_", "%5F")]) {
    await ask(`/v2/me?key=${each}`, { headers: bearer });
    await ask(`/v2/users/${each}`, { headers: bearer });
    await ask(`/v2/trades/${each}`, { headers: bearer });
    await ask(`/v2/users/unknown/trades?cursor=${each}`, { headers: bearer });
    await ask(`/${each}?${each}=${each}`, { headers: { referer: `${subject.url}/?key=${each}` } });
    await ask("/v2/me", { headers: { authorization: each } });
    await ask("/v2/me", { headers: { authorization: `Basic ${btoa(`key:${each}`)}` } });
    await ask("/v2/me", { headers: { authorization: `Bearer ${each} ` } });
    await ask("/v2/me", { headers: { cookie: `key=${each}`, "x-api-key": each, "user-agent": each } });
    await ask("/pay/create", { method: "POST", headers: { ...bearer, ...json }, body: `{"plan":"${each}"` });
    await ask(`/pay/${each}`, { headers: bearer });
    await ask(`/pay/${each}/page`);
    await ask(`/checkout/success?session_id=${each}`);
    await ask(`/recover/link?token=${each}`);
  }
  // Over the sockets.
  const { port } = subject;
  for (const path of ["/ws/alerts", "/ws/trades"]) {
    for (const query of [
      `key=${key}`,
      `key=${wrong}`,
      `ticket=${key}`,
      `trader=${key}`,
      `${key}=1`,
      `key=${key}&resume=${key}`,
    ]) {
      const socket = await openSocket({ port, target: `${path}?${query}` });
      if (socket === null) continue;
      if (!("next" in socket)) {
        sawIn(`the refusal of ${path}`, socket.body.toString());
        continue;
      }
      sawIn(`the welcome of ${path}`, JSON.stringify(query.startsWith("trader") ? {} : await socket.next()));
      for (const frame of [`{"action":"${key}"}`, key]) {
        socket.sendText(frame);
        sawIn(`the answer to a frame on ${path}`, JSON.stringify(await socket.nextAnswer()));
      }
      socket.destroy();
    }
  }
  sawIn("/metrics", await (await fetch(`${subject.metricsUrl}/metrics`)).text());
  sawIn("the log", subject.output());
  const seen = new Set<string>();
  // A file may be renamed during the search; the second pass finds it under its new name.
  for (const _look of ["first", "second"])
    for (const file of filesOf(subject.dataFolder)) {
      const text = seen.has(file) ? null : ifThere(() => readFileSync(file, "latin1"));
      if (text === null) continue;
      seen.add(file);
      sawIn(file, text);
    }
  return leaks;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = ifThere(() => statSync(path));
    if (found === null) return [];
    return found.isDirectory() ? filesOf(path) : [path];
  });
}

function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}
