// Keys that make keys: however many an account has, its rate, its sockets and its caps are those of one.
import type { Random } from "../../kit/random.ts";
import { ask, type Reply, type Tried } from "./asking.ts";
import type { Subject } from "./subject.ts";

const MINTED = 5;
/** Two of the free plan, whatever the number of keys. */
const SOCKETS_MAX = 2;
const CAP_CREDITS = 500;
const BOARD = "/v2/leaderboard/7d?limit=2";
const ASKED = 24;

export async function mintKeys(subject: Subject, random: Random): Promise<Tried> {
  const errors: string[] = [];
  const mint = (key: string, body: unknown) => ask(subject, key, "/v2/keys", { method: "POST", body });
  const root = (await subject.makeKey("free", false)).key;
  const keys = [root];
  // Each one is created by the previous one.
  while (keys.length < MINTED) {
    const made = await mint(random.pick(keys), { name: `minted ${keys.length}` });
    if (made.status !== 201) return { errors: [`a key made none: ${made.status}`], tried: keys.length };
    keys.push(String(made.body.key));
  }
  errors.push(...(await sharedMinute(subject, keys, random)));
  errors.push(...(await sharedSockets(subject, keys)));
  errors.push(...(await heldCap(subject)));
  return { errors, tried: keys.length };
}

const standingOf = ({ headers }: Reply) => {
  const [, left = "", resets = ""] = /r=(\d+);t=(\d+)/.exec(headers.get("ratelimit") ?? "") ?? [];
  return { left: Number(left), resets: Number(resets) };
};

/** Each request uses one of the shared minute's, whichever key makes it. */
async function sharedMinute(subject: Subject, keys: readonly string[], random: Random): Promise<string[]> {
  let before = standingOf(await ask(subject, random.pick(keys), "/v2/me"));
  for (let asked = 0; asked < ASKED; asked++) {
    const now = standingOf(await ask(subject, random.pick(keys), "/v2/me"));
    const isNextMinute = now.resets > before.resets;
    if (!isNextMinute && now.left !== before.left - 1)
      return [`the minute had ${before.left} left, then ${now.left}`];
    before = now;
  }
  return [];
}

async function sharedSockets(subject: Subject, keys: readonly string[]): Promise<string[]> {
  const sockets = keys.flatMap((key) =>
    Array.from({ length: SOCKETS_MAX }, () => {
      const headers = { authorization: `Bearer ${key}` };
      return new WebSocket(`${subject.url.replace("http", "ws")}/ws/alerts`, { headers } as never);
    }),
  );
  const opened = await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<boolean>((resolve) => {
          socket.addEventListener("open", () => resolve(true));
          socket.addEventListener("close", () => resolve(false));
        }),
    ),
  );
  for (const socket of sockets) socket.close();
  const count = opened.filter(Boolean).length;
  return count <= SOCKETS_MAX ? [] : [`${keys.length} keys of one account had ${count} sockets`];
}

/** A key with a cap can't manage keys, spends its cap once, and passes the cap on to its replacement. */
async function heldCap(subject: Subject): Promise<string[]> {
  const root = (await subject.makeKey("starter", false)).key;
  const body = { name: "capped", monthlyCap: CAP_CREDITS };
  const made = await ask(subject, root, "/v2/keys", { method: "POST", body });
  const [capped, id] = [String(made.body.key), String(made.body.id)];
  const errors: string[] = [];
  const refused = [
    await ask(subject, capped, "/v2/keys", { method: "POST", body: { name: "free of caps" } }),
    await ask(subject, capped, "/v2/keys", { method: "POST", body: { monthlyCap: 1_000_000_000 } }),
    await ask(subject, capped, `/v2/keys/${id}/rotate`, { method: "POST", body: { overlapSeconds: 60 } }),
    await ask(subject, capped, `/v2/keys/${id}`, { method: "DELETE" }),
  ];
  for (const { status, body: reported } of refused)
    if (reported.error !== "key_restricted") errors.push(`a capped key managed keys: ${status}`);
  const spend = async (key: string) => {
    let spent = 0;
    for (let n = 0; n < 4; n++) spent += (await ask(subject, key, BOARD)).cost;
    return spent;
  };
  const rotated = await ask(subject, root, `/v2/keys/${id}/rotate`, {
    method: "POST",
    body: { overlapSeconds: 600 },
  });
  const spent = (await spend(capped)) + (await spend(String(rotated.body.key)));
  if (spent !== CAP_CREDITS) errors.push(`a cap of ${CAP_CREDITS} let ${spent} be spent`);
  return errors;
}
