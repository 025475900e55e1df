// A stand-in for Discord that speaks its REST interface as publicly documented: buckets in headers, 429 with retry_after by
// channel and globally, nonces that are accepted once, webhooks, commands; and it signs interactions with Ed25519.
import { generateKeyPairSync, sign } from "node:crypto";

export interface PostedMessage {
  to: string;
  content: string;
  labels: string[];
  actions: string[];
  /** The message that it replies to. */
  answers: string | null;
  at: number;
}

export interface TestDiscord {
  url: string;
  token: string;
  webhookUrl: string;
  posted: PostedMessage[];
  /** Answers that came after the first response. */
  edited: { path: string; content: string }[];
  commands: { name: string; description: string; default_member_permissions?: string }[];
  /** The status returned for every message to a channel, while set. */
  closed: Map<string, number>;
  meets(channel: string, fate: DiscordFate): void;
  /** An interaction as Discord would post it. */
  interaction(body: object, how?: Posting): Promise<{ status: number; body: Interacted }>;
  listensOn(port: number): void;
  stop(): Promise<void>;
}

export interface Posting {
  /** Changes the body in transit. */
  change?: (text: string) => string;
  ageMs?: number;
}

export interface Interacted {
  type?: number;
  data?: { content?: string; flags?: number };
}

export type DiscordFate = { retryAfter: number; global?: boolean } | { resetAfter: number } | "lost answer";

const APPLICATION = "1100000000000000001";

export function startTestDiscord(now: () => number): TestDiscord {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const verifyKey = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
  const token = "test-bot-token.that-nobody.may-see";
  const posted: PostedMessage[] = [];
  const edited: TestDiscord["edited"] = [];
  const commands: TestDiscord["commands"] = [];
  const closed = new Map<string, number>();
  const fates = new Map<string, DiscordFate[]>();
  const nonces = new Set<string>();
  let port = 0;

  const take = (to: string, input: Record<string, unknown>): Response => {
    const status = closed.get(to);
    if (status) return Response.json({ code: 50001, message: "Missing Access" }, { status });
    const fate = fates.get(to)?.shift();
    if (typeof fate === "object" && "retryAfter" in fate)
      return Response.json(
        {
          message: "You are being rate limited.",
          retry_after: fate.retryAfter,
          global: fate.global === true,
        },
        { status: 429, headers: { "retry-after": String(Math.ceil(fate.retryAfter)) } },
      );
    const {
      content,
      nonce,
      components = [],
      message_reference: answered,
    } = input as {
      message_reference?: { message_id: string };
      content: string;
      nonce?: string;
      components?: { components: { label: string; custom_id?: string }[] }[];
    };
    if (content.length === 0 || content.length > 2_000 || (nonce ?? "").length > 25)
      return Response.json({ code: 50035, message: "Invalid Form Body" }, { status: 400 });
    const isRepeat = nonce !== undefined && nonces.has(nonce);
    if (nonce !== undefined) nonces.add(nonce);
    const buttons = components.flatMap((row) => row.components);
    const [labels, actions] = [
      buttons.map((each) => each.label),
      buttons.map((each) => String(each.custom_id)),
    ];
    if (!isRepeat)
      posted.push({ to, content, labels, actions, answers: answered?.message_id ?? null, at: now() });
    if (fate === "lost answer") return new Response("bad gateway", { status: 502 });
    const isEmpty = typeof fate === "object" && "resetAfter" in fate;
    return Response.json(
      { id: `message-${posted.length}` },
      {
        headers: {
          "x-ratelimit-remaining": isEmpty ? "0" : "4",
          "x-ratelimit-reset-after": isEmpty ? String(fate.resetAfter) : "1",
        },
      },
    );
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const input = request.method === "GET" ? {} : await request.json();
      const [, incoming] = /^\/webhooks\/(\d+)\/secret-of-webhook$/.exec(pathname) ?? [];
      if (incoming) return take("webhook", input);
      if (/^\/webhooks\/\d+\/[^/]+\/messages\/@original$/.test(pathname)) {
        edited.push({ path: pathname, content: input.content });
        return Response.json({ id: "1" });
      }
      if (request.headers.get("authorization") !== `Bot ${token}`)
        return Response.json({ message: "401: Unauthorized", code: 0 }, { status: 401 });
      if (pathname === "/applications/@me") return Response.json({ id: APPLICATION, verify_key: verifyKey });
      if (pathname === `/applications/${APPLICATION}/commands`) {
        commands.splice(0, commands.length, ...input);
        return Response.json(input);
      }
      const [, channel] = /^\/channels\/(\d+)\/messages$/.exec(pathname) ?? [];
      return channel ? take(channel, input) : Response.json({ message: "404: Not Found" }, { status: 404 });
    },
  });
  const url = server.url.href.replace(/\/$/, "");
  return {
    url,
    token,
    webhookUrl: `${url}/webhooks/77/secret-of-webhook`,
    posted,
    edited,
    commands,
    closed,
    meets: (channel, fate) => void fates.set(channel, [...(fates.get(channel) ?? []), fate]),
    async interaction(body, { change = (text: string) => text, ageMs = 0 } = {}) {
      const text = JSON.stringify({
        id: "9",
        token: "interaction-token",
        application_id: APPLICATION,
        ...body,
      });
      const timestamp = String(Math.floor((now() - ageMs) / 1_000));
      const signature = sign(null, Buffer.from(timestamp + text), privateKey).toString("hex");
      const response = await fetch(`http://127.0.0.1:${port}/interactions`, {
        method: "POST",
        headers: { "x-signature-ed25519": signature, "x-signature-timestamp": timestamp },
        body: change(text),
      });
      return { status: response.status, body: response.status === 200 ? await response.json() : {} };
    },
    listensOn(given) {
      port = given;
    },
    stop: () => server.stop(true),
  };
}
