// A stand-in for Telegram that speaks the Bot API over HTTP as publicly documented: long polling with offsets, 429 with
// retry_after, 403 for users who blocked the bot, groups that migrate, webhooks with their secret. It refuses HTML that
// Telegram would refuse.
import type { Server } from "bun";

export interface Taken {
  chat: string;
  text: string;
  keyboard: { text: string; url?: string; callback_data?: string }[][];
  /** The number of the message that it replies to. */
  replyTo: number | null;
  /** The page of its preview picture. */
  preview: string | null;
  at: number;
}

export interface TestTelegram {
  url: string;
  token: string;
  /** Accepted messages, in order. */
  sent: Taken[];
  toasts: string[];
  /** All called methods, in order. */
  methods: string[];
  write(chat: number, text: string): void;
  press(chat: number, data: string): void;
  update(update: object): void;
  /** Sets the outcome of the next message to a chat. */
  meets(chat: number, fate: Fate): void;
  /** Chats whose messages currently get a 502. */
  ill: Set<string>;
  blocked: Set<string>;
  webhook(): { url: string; secret_token: string } | null;
  stop(): Promise<void>;
}

export type Fate = { retryAfter: number } | { migrateTo: number } | "lost answer" | "refused";

const TAGS = /<(?:b|i|code)>|<\/(?:b|i|code|a)>|<a href="[^"<>]*">/g;

export function startTestTelegram(now: () => number): TestTelegram {
  const token = "123456:test-token-that-nobody-may-see";
  const sent: Taken[] = [];
  const toasts: string[] = [];
  const methods: string[] = [];
  const blocked = new Set<string>();
  const ill = new Set<string>();
  const fates = new Map<string, Fate[]>();
  let updates: { update_id: number }[] = [];
  let nextId = 1;
  let wake = () => {};
  let webhook: { url: string; secret_token: string } | null = null;

  const ok = (result: unknown) => Response.json({ ok: true, result });
  const no = (status: number, description: string, parameters?: object) =>
    Response.json(
      { ok: false, error_code: status, description, ...(parameters ? { parameters } : {}) },
      { status },
    );

  const add = (update: object) => {
    updates.push({ update_id: nextId++, ...update });
    wake();
  };

  const getUpdates = async ({ offset = 0, timeout = 0 }: { offset?: number; timeout?: number }) => {
    updates = updates.filter(({ update_id }) => update_id >= offset);
    if (updates.length === 0 && timeout > 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, timeout * 1_000).unref();
      });
    return ok(updates.slice(0, 100));
  };

  const sendMessage = (input: {
    chat_id: string;
    text: string;
    parse_mode?: string;
    link_preview_options?: { url?: string };
    reply_parameters?: { message_id: number };
    reply_markup?: never;
  }) => {
    const chat = String(input.chat_id);
    if (ill.has(chat)) return new Response("", { status: 502 });
    if (blocked.has(chat)) return no(403, "Forbidden: bot was blocked by the user");
    const fate = fates.get(chat)?.shift();
    if (fate === "refused")
      return no(400, "Bad Request: not enough rights to send text messages to the chat");
    if (typeof fate === "object" && "retryAfter" in fate)
      return no(429, `Too Many Requests: retry after ${fate.retryAfter}`, { retry_after: fate.retryAfter });
    if (typeof fate === "object")
      return no(400, "Bad Request: group chat was upgraded to a supergroup chat", {
        migrate_to_chat_id: fate.migrateTo,
      });
    const plain = input.text.replace(TAGS, "");
    if (plain === "" || plain.length > 4_096) return no(400, "Bad Request: message is too long");
    if (/[<>]|&(?!amp;|lt;|gt;|quot;)/.test(plain)) return no(400, "Bad Request: can't parse entities");
    const keyboard = (input.reply_markup as { inline_keyboard?: Taken["keyboard"] } | undefined)
      ?.inline_keyboard;
    for (const { callback_data = "" } of keyboard?.flat() ?? [])
      if (Buffer.byteLength(callback_data) > 64) return no(400, "Bad Request: BUTTON_DATA_INVALID");
    sent.push({
      chat,
      text: input.text,
      keyboard: keyboard ?? [],
      replyTo: input.reply_parameters?.message_id ?? null,
      preview: input.link_preview_options?.url ?? null,
      at: now(),
    });
    return fate === "lost answer"
      ? new Response("<html>502</html>", { status: 502 })
      : ok({ message_id: sent.length });
  };

  const server: Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const [, given, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
      methods.push(method);
      if (given !== token) return no(401, "Unauthorized");
      const input = await request.json();
      if (method === "getMe") return ok({ id: 1, is_bot: true, username: "tape_bot" });
      if (method === "getUpdates") return getUpdates(input);
      if (method === "setWebhook") {
        webhook = input;
        return ok(true);
      }
      if (method === "answerCallbackQuery") toasts.push(input.text ?? "");
      return method === "sendMessage" ? sendMessage(input) : ok(true);
    },
  });
  return {
    url: server.url.href.replace(/\/$/, ""),
    token,
    sent,
    toasts,
    methods,
    blocked,
    ill,
    write: (chat, text) => add({ message: { chat: { id: chat }, text } }),
    press: (chat, data) => add({ callback_query: { id: "q", data, message: { chat: { id: chat } } } }),
    update: add,
    meets: (chat, fate) => void fates.set(String(chat), [...(fates.get(String(chat)) ?? []), fate]),
    webhook: () => webhook,
    stop: () => server.stop(true),
  };
}
